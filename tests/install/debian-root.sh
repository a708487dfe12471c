#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# debian-root.sh FOLDER [run|test]: makes a bare Debian 12 in FOLDER (which must not exist), clones
# the committed state of this tree into it and gives the two commands of the README there, so that a
# package missing from packages.txt shows; with a second argument only that one. Prints the seconds
# of each part; exit 0 if all went well. What the commands printed is in FOLDER.log.
#
# Takes root, debootstrap, git, and this machine's apt sources and settings, which are used in the
# root too. FOLDER is left for a look; /proc and /dev are unmounted from it at the end, so that
# `rm -rf` is safe then.
set -u -o pipefail
folder=${1:?usage: debian-root.sh FOLDER [run|test]}
which=${2:-both}
source_dir=$(git -C "$(dirname -- "$(readlink -f -- "$0")")" rev-parse --show-toplevel) || exit 2
refuse() {
  echo "debian-root.sh: $*" >&2
  exit 2
}
case $which in run | test | both) ;; *) refuse "run or test, not '$which'" ;; esac
[ "$(id -u)" = 0 ] || refuse "takes root"
[ ! -e "$folder" ] || refuse "$folder exists"
command -v debootstrap >/dev/null || refuse "debootstrap is not installed"

# The mirror apt uses here for Debian 12, or the first of its sources.
# shellcheck disable=SC2016  # apt-get expands these
mirror=$(apt-get indextargets --format '$(SITE) $(ORIGIN) $(CODENAME)' 2>/dev/null |
  awk '$2 == "Debian" && $3 == "bookworm" { print $1; exit }')
[ -n "$mirror" ] ||
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
    sed -nE 's/^(deb (\[[^]]*\] )?|URIs: *)([a-z]+:[^ ]+).*/\3/p' | head -n 1)
[ -n "$mirror" ] || refuse "apt has no source here"

mkdir -p -- "$folder" || exit 1
folder=$(readlink -f -- "$folder")
log=$folder.log
: >"$log"
report=''
clean_up() {
  local mount
  for mount in dev proc; do
    ! mountpoint -q "$folder/$mount" || umount "$folder/$mount" || umount -l "$folder/$mount"
  done
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# part NAME COMMAND...: timed; stops at a failure.
part() {
  local begin=$SECONDS code
  printf '\n== %s\n' "$1" >>"$log"
  "${@:2}" >>"$log" 2>&1 </dev/null
  code=$?
  report+=$(printf '%6d s  %s' $((SECONDS - begin)) "$1")$'\n'
  [ "$code" = 0 ] && return
  tail -n 30 -- "$log"
  printf '\n%s\nfailed (exit %d): %s; see %s\n' "$report" "$code" "$1" "$log"
  exit 1
}

# inside COMMAND...: in the clone, with a new user's environment.
inside() {
  chroot "$folder" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
    sh -c 'cd /srv/pomlux && exec "$@"' sh "$@"
}

# As this machine: sources, their keys, and how to reach them.
set_up_apt() {
  local key
  rm -f -- "$folder/etc/apt/sources.list"
  cp -r -- /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/trusted.gpg.d /etc/apt/auth.conf.d \
    "$folder/etc/apt/" 2>/dev/null
  sed -n 's/.*[Ss]igned-[Bb]y[:=] *\(\/[^] ]*\).*/\1/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | sort -u |
    while IFS= read -r key; do
      mkdir -p -- "$folder$(dirname -- "$key")" && cp -- "$key" "$folder$key"
    done
  apt-config dump | grep -E '^Acquire::' >"$folder/etc/apt/apt.conf.d/90host"
  cp -L -- /etc/resolv.conf /etc/hosts "$folder/etc/"
}

clone() {
  git clone -q --no-hardlinks -- "$source_dir" "$folder/srv/pomlux"
}

first_run() {
  inside ./pomlux run configs/drop_wave.yaml && [ -s "$folder/srv/pomlux/results/drop_wave/report.html" ]
}

# The part of the second call that is not the program's.
second_start() {
  local begin end milliseconds
  begin=$(date +%s%N)
  inside ./pomlux --version || return
  end=$(date +%s%N)
  milliseconds=$(((end - begin) / 1000000))
  echo "the second call took $milliseconds ms"
  [ "$milliseconds" -lt 1000 ]
}

test_run() {
  inside ./pomlux test && [ -z "$(git -C "$source_dir" --git-dir "$folder/srv/pomlux/.git" \
    --work-tree "$folder/srv/pomlux" status --porcelain)" ]
}

part "debootstrap (minbase, bookworm)" debootstrap --variant=minbase bookworm "$folder" "$mirror"
part "apt settings" set_up_apt
part "clone" clone
mount -t proc proc "$folder/proc" 2>/dev/null || mount --bind /proc "$folder/proc" || exit 1
mount --bind /dev "$folder/dev" || exit 1
if [ "$which" != test ]; then
  part "./pomlux run configs/drop_wave.yaml: packages, build, three seeds" first_run
  part "./pomlux --version: nothing to build" second_start
  part "./pomlux run configs/drop_wave.yaml --overwrite: three seeds" \
    inside ./pomlux run configs/drop_wave.yaml --overwrite
fi
[ "$which" = run ] || part "./pomlux test: packages, builds, tests" test_run
grep -hE '^(pomlux: .*[0-9] s$|[0-9]+% tests passed|the second call)' "$log"
printf '\n%severything went well; remove %s when you have seen it\n' "$report" "$folder"
