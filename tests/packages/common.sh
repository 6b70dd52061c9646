# shellcheck shell=bash
# What the checks of the packages share. They run as root in namespaces of their own, without a
# network: whatever they start ends with them, and no port is taken.

# Fails with what the programs under test wrote last, in the file that `log` names.
fail() {
    [[ ! -e ${log:-} ]] || cat "$log" >&2
    echo "tests/packages/${0##*/}: $*" >&2
    exit 1
}

# Runs a command of this script in namespaces: `isolated install …` calls its function `install`.
isolated() {
    unshare --mount --net --pid --fork --kill-child --mount-proc "$0" --isolated "$@"
}

# Mounts what programs expect, so that `chroot` makes a whole system of a folder.
mount_system() {
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
}

# Waits until a page answers with a status, as long as a process lives.
until_status() {
    local pid=$1 status=$2 url=$3
    until [[ $(curl --silent --output /dev/null --write-out '%{http_code}' "$url") == "$status" ]]; do
        kill -0 "$pid" 2>/dev/null || fail "the service ended before $url was $status"
        sleep 0.1
    done
}
