"""SPAKE2 of RFC 9382 and ECDSA over P-256, in plain Python: to make proofs again and verify signatures, not for secrets."""

import hashlib
import hmac

PRIME = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
CONSTANT = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
GENERATOR = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(left, right):
    """The sum of two points; None stands for the one at infinity."""
    if left is None or right is None:
        return left or right
    if left[0] == right[0]:
        if (left[1] + right[1]) % PRIME == 0:
            return None
        slope = 3 * (left[0] * left[0] - 1) * pow(2 * left[1], -1, PRIME)
    else:
        slope = (right[1] - left[1]) * pow(right[0] - left[0], -1, PRIME)
    x = (slope * slope - left[0] - right[0]) % PRIME
    return x, (slope * (left[0] - x) - left[1]) % PRIME


def times(number, point):
    result = None
    for bit in bin(number % ORDER)[2:]:
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def minus(point):
    return point and (point[0], -point[1] % PRIME)


def from_compressed(text):
    data = bytes.fromhex(text)
    x = int.from_bytes(data[1:], "big")
    y = pow(x**3 - 3 * x + CONSTANT, (PRIME + 1) // 4, PRIME)
    return (x, y) if y % 2 == data[0] % 2 else (x, PRIME - y)


M = from_compressed("02886e2f97ace46e55ba9dd7242579f2993b64e16ef3dcab95afd497333d8fa12f")
N = from_compressed("03d8bbd6c639c62937b04d997f38c3770719c629d7014d49a24b4f98baa1292b49")


def encode(point):
    return b"\x04" + point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")


def hkdf(secret, salt, purpose, count):
    key = hmac.digest(salt or bytes(32), secret, "sha256")
    output, block = b"", b""
    while len(output) < count:
        block = hmac.digest(key, block + purpose + bytes([len(output) // 32 + 1]), "sha256")
        output += block
    return output[:count]


def agree(password, first, second, identities, additional):
    """Both sides at once, from what is secret to each: the shares, the session key, the confirmations."""
    share_of_first = add(times(first, GENERATOR), times(password, M))
    share_of_second = add(times(second, GENERATOR), times(password, N))
    common = times(first, add(share_of_second, minus(times(password, N))))
    assert common == times(second, add(share_of_first, minus(times(password, M))))
    shares = encode(share_of_first), encode(share_of_second)
    parts = [*identities, *shares, encode(common), password.to_bytes(32, "big")]
    transcript = b"".join(len(part).to_bytes(8, "little") + part for part in parts)
    digest = hashlib.sha256(transcript).digest()
    keys = hkdf(digest[16:], b"", b"ConfirmationKeys" + additional, 32)
    confirmations = [hmac.digest(key, transcript, "sha256") for key in (keys[:16], keys[16:])]
    return shares, digest[:16], confirmations


def integers_of(signature):
    """The two integers of a DER `SEQUENCE { r INTEGER, s INTEGER }`; each is shorter than 128 bytes."""
    assert signature[0] == 0x30 and signature[1] == len(signature) - 2
    end = 4 + signature[3]
    assert signature[2] == 0x02 and signature[end] == 0x02 and end + 2 + signature[end + 1] == len(signature)
    return int.from_bytes(signature[4:end], "big"), int.from_bytes(signature[end + 2 :], "big")


def verifies(signature, message, key):
    """Whether a signature, in DER, is one by SHA-256 and the key, an uncompressed point."""
    r, s = integers_of(signature)
    if not (0 < r < ORDER and 0 < s < ORDER):
        return False
    point = int.from_bytes(key[1:33], "big"), int.from_bytes(key[33:], "big")
    digest, inverse = int.from_bytes(hashlib.sha256(message).digest(), "big"), pow(s, -1, ORDER)
    sum_of_both = add(times(digest * inverse, GENERATOR), times(r * inverse, point))
    return sum_of_both is not None and sum_of_both[0] % ORDER == r
