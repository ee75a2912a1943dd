#include "service/cli/completions.h"

namespace neardup {
namespace {

// bash splits KEY=VALUE into three words, which are joined again; what stands before the last "="
// is not replaced then.
constexpr std::string_view kBash =
    R"bash(# bash completion of neardup:  source <(neardup completions bash)
_neardup() {
  local cur=${COMP_WORDS[COMP_CWORD]} joined= word more line
  local -a words=() lines=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ($word == = || $joined) && ${#words[@]} -gt 0 ]]; then words[-1]+=$word; else words+=("$word"); fi
    if [[ $word == = ]]; then joined=1; else joined=; fi
  done
  if [[ $cur == = ]]; then cur=; fi
  mapfile -t lines < <("$1" __complete "${words[@]}" 2>/dev/null)
  COMPREPLY=()
  if [[ ${#lines[@]} -eq 0 ]]; then return; fi
  more=${lines[-1]} word=${words[-1]}
  for line in "${lines[@]:0:${#lines[@]}-1}"; do
    line=${line%%$'\t'*}
    COMPREPLY+=("${line#"${word%"$cur"}"}")
  done
  case $more in
  :file | :directory)
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "-${more:1:1}" -- "$cur")
    ;;
  :nospace) compopt -o nospace 2>/dev/null ;;
  esac
}
complete -F _neardup neardup
)bash";

constexpr std::string_view kZsh = R"zsh(#compdef neardup
_neardup() {
  local -a lines described
  local line help more
  lines=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  more=${lines[-1]}
  for line in "${(@)lines[1,-2]}"; do
    help=${line#*$'\t'}
    described+=("${${line%%$'\t'*}//:/\\:}${help:+:$help}")
  done
  case $more in
  :nospace) _describe setting described -S '' ;;
  *) _describe word described ;;
  esac
  case $more in
  :file) _files ;;
  :directory) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _neardup ]]; then _neardup "$@"; else compdef _neardup neardup; fi
)zsh";

constexpr std::string_view kFish = R"fish(# fish completion of neardup
function __neardup_complete
  set -l words (commandline -opc)
  set -l lines ($words[1] __complete $words[2..] (commandline -ct) 2>/dev/null)
  if test (count $lines) -gt 1
    printf '%s\n' $lines[1..-2]
  end
  switch "$lines[-1]"
    case :file
      __fish_complete_path (commandline -ct)
    case :directory
      __fish_complete_directories (commandline -ct)
  end
end
complete -c neardup -f -a '(__neardup_complete)'
)fish";

}  // namespace

std::optional<std::string_view> completion_script(std::string_view shell) {
  if (shell == "bash") return kBash;
  if (shell == "zsh") return kZsh;
  if (shell == "fish") return kFish;
  return std::nullopt;
}

}  // namespace neardup
