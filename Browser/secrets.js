// Addresses that let anyone in who has them: what of them may be told. `AddressSecrets` of the host has the same rule.

/// Names of parameters whose values are secrets, as small letters and digits.
const names = new Set([
    "accesscode", "assertion", "auth", "authcode", "authorization", "authorizationcode", "awsaccesskeyid", "code",
    "devicecode", "googleaccessid", "hmac", "jwt", "key", "keypairid", "otp", "pass", "pin", "policy", "pwd", "resetcode",
    "samlrequest", "samlresponse", "se", "session", "sid", "sig", "ticket", "usercode", "verificationcode",
]);
/// Parts of such names, and their beginnings.
const parts = [
    "accesskey", "apikey", "credential", "oauth", "passphrase", "passwd", "password", "privatekey", "secret", "sessionid",
    "signature", "token",
];
const beginnings = ["xamz", "xgoog"];
/// Beginnings of values that are secrets whatever their name is.
const marks = [
    "AIza", "AKIA", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "sk-", "sk_live_", "xoxa-", "xoxb-", "xoxp-",
    "ya29.",
];
const valueLength = 20;

/// Returns an address as other machines may know it: without its query and fragment if a secret is there; null if one is in
/// its path.
export function told(address) {
    const mark = address.search(/[?#]/);
    const place = mark < 0 ? address : address.slice(0, mark);
    if (hasSecret(place)) return null;
    return mark >= 0 && hasSecret(address.slice(mark)) ? place : address;
}

/// Whether a part of an address has a secret, also within an address that is encoded in it.
function hasSecret(text) {
    for (let round = 0; round < 4; round += 1) {
        if (text.split(/[?&#;/,]/).some(isSecret)) return true;
        const decoded = text.replace(/%(2[1-9a-f]|[3-6][0-9a-f]|7[0-9a-e])/gi, (_, digits) =>
            String.fromCharCode(parseInt(digits, 16)));
        if (decoded === text) return false;
        text = decoded;
    }
    // An address that is encoded so often hides something.
    return true;
}

function isSecret(piece) {
    const sign = piece.indexOf("=");
    const value = piece.slice(sign + 1);
    if (sign >= 0 && value && isSecretName(piece.slice(0, sign))) return true;
    if (value.length < valueLength) return false;
    return (value.startsWith("eyJ") && value.includes(".")) || marks.some((mark) => value.startsWith(mark));
}

function isSecretName(text) {
    const name = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[^a-z0-9]/g, "");
    return names.has(name) || parts.some((part) => name.includes(part))
        || beginnings.some((beginning) => name.startsWith(beginning));
}
