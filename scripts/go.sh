# Functions of scripts that build tools with Go, once in the user's cache. To be sourced by a script that builds with `SCRIPT make FOLDER`.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/neardup

missing() {
  echo "$1" >&2
  exit 77
}

# older A B: is version A before B?
older() { [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# module PATH VERSION: prints the folder of its files, fetched where needed.
module() {
  go mod download -json "$1@$2" | sed -n 's/^\t"Dir": "\(.*\)",\?$/\1/p'
}

# use_go FOLDER OLDEST VERSION: puts Go first on the PATH, VERSION where the machine's own is older than OLDEST. Go's downloads and caches
# are in FOLDER/go.
use_go() {
  export GOPATH=$1/go GOMODCACHE=$1/go/modules GOCACHE=$1/go/cache GOBIN=$1 GOFLAGS=-modcacherw CGO_ENABLED=0 GOTOOLCHAIN=local
  command -v go >/dev/null || missing "Go is not installed (golang-go)"
  local own toolchain
  own=$(go env GOVERSION)
  older "${own#go}" "$2" || return 0
  toolchain=$(module golang.org/toolchain "v0.0.1-go$3.$(go env GOOS)-$(go env GOARCH)")
  # Modules carry no executable bits.
  find "$toolchain/bin" "$toolchain/pkg/tool" -type f -exec chmod +x {} +
  export PATH=$toolchain/bin:$PATH GOROOT=$toolchain
}

# built FOLDER WHAT: makes FOLDER by the calling script, unless it is there. Exits with 77, WHAT and the reason where that fails.
built() {
  [ ! -d "$1" ] || return 0
  mkdir -p "$cache"
  # Another process may be building the same folder. Processes that are started later do not have the lock.
  exec 9>"$1.lock"
  flock 9
  [ -d "$1" ] || build_folder "$@"
  exec 9>&-
}

build_folder() {
  local new=$1.new
  rm -rf "$new"
  mkdir "$new"
  "$0" make "$new" >"$new.log" 2>&1 || missing "$2 cannot be made: $(tail -n 1 "$new.log")"
  rm -rf "$new/go"
  mv "$new" "$1"
  rm "$new.log"
}
