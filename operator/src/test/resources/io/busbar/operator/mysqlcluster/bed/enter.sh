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
cp -a /dev/{null,zero,full,random,urandom,tty,fd,stdin,stdout,stderr} "$root/dev"
mkdir -m 1777 "$root/dev/shm"
[[ -d $root/tmp ]] || mkdir "$root/tmp"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"

# As the container sees them, for a link such as /var/run leads elsewhere here.
resolved=$(cut -f 3 "$folder/mounts" | tr '\n' '\0' | xargs -0 chroot "$root" realpath -m --)
mapfile -t targets <<<"$resolved"

for ((i = 0; i < ${#targets[@]}; i++)); do
  IFS=$'\t' read -r kind source target mode
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
      target=$root${targets[i]}
      if [[ -f $source ]]; then
        [[ -d ${target%/*} ]] || mkdir -p "${target%/*}"
        [[ -e $target ]] || : >"$target"
      else
        [[ -d $source && -d $target ]] || mkdir -p "$source" "$target"
      fi
      mount -o "bind${mode:+,$mode}" "$source" "$target"
      ;;
  esac
done <"$folder/mounts"

exec chroot "$root" "$@"
