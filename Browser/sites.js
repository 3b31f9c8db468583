// The sites that are left out: their pages are never told to other machines by themselves.

/// The list until the person changes it. One pattern a line; `*` stands for any text.
export const usual = `# Banks, and others that move money
*bank*
*banque*
*banco*
*sparkasse*
*raiffeisen*
*volksbank*
*creditunion*
*credit-union*
*paypal.*
*hsbc.*
*barclays*
*santander*
*bbva.*
*unicredit*
*bnpparibas*
*americanexpress*
chase.com
citi.com
wellsfargo.com
capitalone.com
fidelity.com
schwab.com
vanguard.com
ing.com
ing.de
ing.nl
n26.com
monzo.com
revolut.com
wise.com
klarna.com
stripe.com

# Passwords
bitwarden.com
1password.com
lastpass.com

# This machine itself
localhost
127.0.0.1
[::1]

# Addresses that let anyone in who has them
*/*token=*
*/*password=*
*/*secret=*
*/*api_key=*
*/*apikey=*
`;

/// The patterns of a list: its lines without comments.
export function patterns(text) {
    return text.split("\n").map((line) => line.replace(/(^|\s)#.*/, "").trim().toLowerCase()).filter(Boolean);
}

/// Whether a text matches a pattern as a whole. The time is linear in practice: nothing before the last `*` is tried again.
export function matches(pattern, text) {
    let place = 0;
    let at = 0;
    let star = null;
    while (at < text.length) {
        if (pattern[place] === "*") {
            star = { place, at };
            place += 1;
        } else if (place < pattern.length && pattern[place] === text[at]) {
            place += 1;
            at += 1;
        } else if (star) {
            star.at += 1;
            place = star.place + 1;
            at = star.at;
        } else {
            return false;
        }
    }
    while (pattern[place] === "*") place += 1;
    return place === pattern.length;
}

/// Returns the first pattern that leaves out an address, or null.
///
/// A pattern without `/` is about the host: `example.org` is that host and all below it. One with `/` is about the host
/// with the rest of the address.
export function leavingOut(list, url) {
    const host = url.hostname.toLowerCase();
    const rest = (host + url.pathname + url.search + url.hash).toLowerCase();
    for (const pattern of list) {
        if (pattern.includes("/")) {
            if (matches(pattern, rest)) return pattern;
        } else if (matches(pattern, host) || (!pattern.includes("*") && host.endsWith("." + pattern))) {
            return pattern;
        }
    }
    return null;
}
