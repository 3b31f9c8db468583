"""Who the peer is: its certificate's names and key.

Python's `ssl` verifies the chain by OpenSSL's strict rules, but shows no more than the peer's own certificate. So this
does not check that the chain has exactly three certificates, nor the names and the key of the owner's.
"""

from .words import identifier, spelled

ACCOUNT, OWNER, DEVICE = "urn:baton:account:", "urn:baton:owner:", "urn:baton:device:"


class Stranger(Exception):
    """The peer is not who it must be."""


def device_of(names, der, account):
    """The device that a verified certificate speaks for, which must be of this account."""
    device = identifier(public_key(der))
    uris = [name for kind, name in names if kind == "URI"]
    expected = {ACCOUNT: [ACCOUNT + spelled(account)], OWNER: [], DEVICE: [DEVICE + spelled(device)]}
    for prefix, wanted in expected.items():
        found = [uri for uri in uris if uri.startswith(prefix)]
        if found != wanted:
            raise Stranger(f"the certificate names {found}, not {wanted}")
    return device


def public_key(der):
    """The SubjectPublicKeyInfo of a certificate: the seventh part of what is signed, behind the version."""
    signed = children(der)[0]
    return children(signed)[6]


def children(der):
    """The elements inside a DER element, each with its head."""
    position, end = contents(der, 0)
    found = []
    while position < end:
        _, after = contents(der, position)
        found.append(der[position:after])
        position = after
    return found


def contents(der, start):
    """Where the contents of the element at a place begin and end."""
    length, position = der[start + 1], start + 2
    if length & 0x80:
        size = length & 0x7F
        length, position = int.from_bytes(der[position : position + size], "big"), position + size
    return position, position + length
