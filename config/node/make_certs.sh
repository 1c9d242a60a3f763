#!/bin/sh
# Makes an authority and certificates of it for a server, a worker and a client:
# make_certs.sh FOLDER. Good for trying; who has the authority's key can let
# anybody in.
set -eu
folder=${1:?which folder?}
mkdir -p "$folder"
cd "$folder"
umask 077
if [ -e authority.key ]; then
  echo "$folder has an authority already; remove it first" >&2
  exit 2
fi
new_key() {
  openssl ecparam -name prime256v1 -genkey -noout -out "$1.key" 2>/dev/null
}
new_key authority
openssl req -x509 -new -key authority.key -sha256 -days 365 \
  -subj "/CN=Turnstile trial authority" -out authority.crt
for who in server worker client; do
  new_key $who
  openssl req -new -key $who.key -subj "/CN=turnstile $who" -out $who.csr
  openssl x509 -req -in $who.csr -CA authority.crt -CAkey authority.key \
    -CAcreateserial -sha256 -days 365 -out $who.crt 2>/dev/null
  rm $who.csr
done
echo "certificates are in $folder: authority.crt, server, worker and client"
