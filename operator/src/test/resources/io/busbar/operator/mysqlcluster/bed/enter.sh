# Makes the file system of a container, in namespaces that it has to itself already, and becomes its process.
# enter.sh HOSTNAME FOLDER COMMAND...: the folder holds the table "mounts" and the empty folder "box".
set -euo pipefail

hostname=$1 folder=$2
shift 2
box=$folder/box
root=$box/root

echo "$hostname" > /proc/sys/kernel/hostname
mount -t tmpfs -o mode=755 box "$box"
mkdir "$box/upper" "$box/work" "$root"
mount -t overlay -o "lowerdir=/,upperdir=$box/upper,workdir=$box/work" overlay "$root"
mount -t proc proc "$root/proc"

mount -t tmpfs -o mode=755 dev "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mkdir -m 1777 "$root/dev/shm"
mkdir -p "$root/tmp"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"

while IFS=$'\t' read -r kind source target mode; do
  case $kind in
    hide)
      # The overlay forgets them; a pattern is expanded where it stands.
      rm -f "$root"$target
      ;;
    disk)
      mount -o loop "$source" "$target"
      ;;
    copy)
      rm -rf "${root:?}$target"
      cp -a "$source" "$root$target"
      ;;
    bind)
      # As the container sees it, for a link such as /var/run leads elsewhere here.
      target=$root$(chroot "$root" realpath -m "$target")
      if [[ -f $source ]]; then
        mkdir -p "${target%/*}"
        touch "$target"
      else
        mkdir -p "$source" "$target"
      fi
      mount --bind "$source" "$target"
      if [[ $mode == ro ]]; then
        mount -o remount,bind,ro "$target"
      fi
      ;;
  esac
done < "$folder/mounts"

exec chroot "$root" "$@"
