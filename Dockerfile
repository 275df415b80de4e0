# The toolchain as an image, for systems that are not Debian: the same packages as tools/toolchain installs.
#   docker build -t heed . && docker run --rm -it -p 8080:8080 heed
FROM debian:forky
COPY tools/toolchain/packages.txt /tmp/packages.txt
RUN sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources \
 && apt-get update \
 && grep -v '^#' /tmp/packages.txt | xargs apt-get install -y --no-install-recommends chromium-headless-shell nodejs npm
ENV CC=clang CXX=clang++
WORKDIR /heed
COPY . .
RUN npm run build
EXPOSE 8080
CMD ["npm", "start", "--", "--host", "0.0.0.0"]
