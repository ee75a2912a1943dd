# Functions that scripts/run, scripts/test and the demonstrations share. To be sourced; the caller sets `logs`, a folder.

# step NAME COMMAND…: runs a command and prints one line with the name and the time. The output of the command goes to a
# log file. When the command fails, prints the end of that file and exits.
step() {
  local name=$1 log start=$SECONDS status=0
  shift
  mkdir -p "$logs"
  log="$logs/$(tr -cs '[:alnum:]\n' - <<<"$name").log"
  printf '%s … ' "$name"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [ "$status" -ne 0 ]; then
    printf 'failed after %d s (%s, status %d):\n' $((SECONDS - start)) "$log" "$status"
    tail -n 60 "$log"
    exit 1
  fi
  printf '%d s\n' $((SECONDS - start))
}

# How many compilers fit: one a core, each with 2 GiB of memory.
build_jobs() {
  local gib
  gib=$(awk '/^MemTotal/ {print int($2 / 1048576 + 0.5)}' /proc/meminfo)
  local fit=$((gib / 2)) cores
  cores=$(nproc)
  [ "$fit" -ge 1 ] || fit=1
  echo $((cores < fit ? cores : fit))
}

# build PRESET [TARGET [CMAKE_OPTION…]], in unity builds where no option says otherwise. The compiler cache serves every clone: paths in it are
# relative to the source.
build() {
  local -x CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=true
  cmake --preset "$1" -D NEARDUP_UNITY=ON "${@:3}" && cmake --build --preset "$1" --parallel "$(build_jobs)" ${2:+--target "$2"}
}

# by_file [CMAKE_OPTION…]: how the compiler is called for each file alone, in build/by-file/compile_commands.json. Nothing is built.
by_file() { cmake --preset release -B build/by-file -D NEARDUP_UNITY=OFF "$@"; }
