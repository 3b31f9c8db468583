// Addresses of pages: which may be told and opened, and the place in a page.

/// The longest address that is told or opened.
const addressLength = 8192;
/// The longest part of an address that names a text.
const fragmentLength = 1024;

/// Returns an address as a URL if it is that of a page of the web, without a user or password in it; otherwise null.
export function webAddress(text) {
    if (typeof text !== "string" || text.length > addressLength) return null;
    let url;
    try {
        url = new URL(text);
    } catch {
        return null;
    }
    if (url.protocol !== "http:" && url.protocol !== "https:") return null;
    return url.username || url.password || !url.hostname ? null : url;
}

/// Returns an address without the text that it points to.
export function bare(address) {
    const mark = address.indexOf(":~:", Math.max(address.indexOf("#"), 0));
    if (address.indexOf("#") < 0 || mark < 0) return address;
    const rest = address.slice(0, mark);
    return rest.endsWith("#") ? rest.slice(0, -1) : rest;
}

/// Returns an address that points to a text, which is already encoded.
///
/// Pages that keep a place of their own behind `#` get none: a browser that does not know such texts would confuse them.
export function pointing(address, text) {
    if (!text || text.length > fragmentLength || !/^[!'()*.~%_0-9A-Za-z]+$/.test(text)) return address;
    const hash = new URL(address).hash;
    if (hash.startsWith("#/") || hash.startsWith("#!")) return address;
    return address + (address.includes("#") ? "" : "#") + ":~:text=" + text;
}

/// Returns a number from 0 to 1; 0 for anything else.
export function part(value) {
    return typeof value === "number" && value >= 0 && value <= 1 ? value : 0;
}

/// Returns the place in a part of a page that scrolls by itself, `at` a path and at a `part` of it; otherwise null.
///
/// A path is the identifier of an element behind `#`, or the places of an element and of those around it among their
/// siblings, from the body of the page on, each behind `/`.
export function innerPlace(value) {
    if (typeof value?.at !== "string" || !/^(#[A-Za-z0-9_:.-]{1,128}|(\/[0-9]{1,5}){1,40})$/.test(value.at)) return null;
    return part(value.part) > 0 ? { at: value.at, part: value.part } : null;
}

/// Returns the beginning of a title.
export function cut(title) {
    return typeof title === "string" ? Array.from(title.slice(0, 1000)).slice(0, 300).join("") : "";
}
