# Runs as root inside the container that becomes the node image, once kind's own
# files and the built programs are in it. It does what the RUN lines of kind's
# images/base/Dockerfile do.
set -o errexit -o nounset -o pipefail

# systemd units that have no business in a container
find /lib/systemd/system/sysinit.target.wants/ -name systemd-tmpfiles-setup.service -delete
rm -f /lib/systemd/system/multi-user.target.wants/*
rm -f /etc/systemd/system/*.wants/*
rm -f /lib/systemd/system/local-fs.target.wants/*
rm -f /lib/systemd/system/sockets.target.wants/*udev*
rm -f /lib/systemd/system/sockets.target.wants/*initctl*
rm -f /lib/systemd/system/basic.target.wants/*
echo 'ReadKMsg=no' >>/etc/systemd/journald.conf

systemctl enable kubelet.service containerd.service undo-mount-hacks.service pod-masquerade.service
systemctl mask systemd-binfmt.service

mkdir -p /etc/kubernetes/manifests /etc/cni/net.d
ctr oci spec | jq 'del(.process.rlimits)' >/etc/containerd/cri-base.json
# kind's hook hides the machine's product name and UUID from containers. Each
# start of a container pays for it, so it is left out where there are none.
if [[ -e /sys/class/dmi/id || -e /sys/devices/virtual/dmi/id ]]; then
	jq '.hooks.createContainer += [{"path": "/kind/bin/mount-product-files.sh"}]' /etc/containerd/cri-base.json >/etc/containerd/with-hook.json
	mv /etc/containerd/with-hook.json /etc/containerd/cri-base.json
fi

# the entrypoint makes a new one in each node
: >/etc/machine-id
