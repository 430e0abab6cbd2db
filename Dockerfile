# rollcall's one image: the Job and every Pod that the specs start. It holds two
# static binaries and an empty /tmp, so there is no base image to pull.
#
# `make image` builds the binaries first; see there.
FROM scratch
ARG TARGETARCH
COPY dist/linux-${TARGETARCH}/ /
USER 65532:65532
ENTRYPOINT ["/rollcall"]
