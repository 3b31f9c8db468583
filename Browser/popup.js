// The list of Baton's button: pages of the other machines, and the page in front, which can be sent to them.
//
// All texts come from other machines and from pages, so they are set as text, each apart from its surroundings (`bdi`).

const api = globalThis.browser ?? chrome;
const part = (id) => document.getElementById(id);
const port = api.runtime.connect({ name: "list" });

/// Makes an element with a text, or with elements in it.
function make(name, className, ...content) {
    const element = document.createElement(name);
    element.className = className;
    element.append(...content);
    return element;
}

/// Makes an element whose text has a direction of its own.
function apart(className, text) {
    const element = make("bdi", className);
    element.textContent = text;
    return element;
}

/// Shows a text in an element, or hides the element if there is none.
function say(element, text) {
    element.textContent = text;
    element.hidden = !text;
}

// MARK: Words

function trouble({ state, text, isPrivate }) {
    switch (state) {
        case "starting": return "Connecting to Baton…";
        case "lost": return "Baton's node is not running. Type “baton node”, or “baton service start”.";
        case "missing":
            return /not found|No such native application|forbidden/i.test(text) || !text
                ? "Baton is not installed for this browser. Type “baton browser install” in a terminal."
                : text;
        default:
            return isPrivate ? "This machine is kept private: nothing is told until you type “baton private off”." : "";
    }
}

function toldText({ isTold, reason, isCut }, isPrivate) {
    if (isPrivate) return "Not told to other machines now.";
    if (reason === "site") return "Never told to other machines, because this site is left out.";
    if (isTold && isCut) return "Told without the part of its address that looks like a key.";
    return isTold ? "Your other machines can go on here." : "Not told to other machines at the moment.";
}

/// Says how long ago something was.
function age(time) {
    const seconds = (Date.now() - Date.parse(time)) / 1000;
    if (!Number.isFinite(seconds)) return "";
    if (seconds < 10) return "just now";
    const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
    for (const [unit, length] of [["day", 86_400], ["hour", 3600], ["minute", 60]]) {
        if (seconds >= length) return format.format(-Math.floor(seconds / length), unit);
    }
    return format.format(-Math.floor(seconds), "second");
}

function hostOf(address) {
    try {
        return new URL(address).host.replace(/^www\./, "");
    } catch {
        return "";
    }
}

// MARK: Showing

function show(state) {
    say(part("trouble"), trouble(state));
    const isRunning = state.state === "running";
    part("here").hidden = !isRunning || !state.page;
    part("there").hidden = !isRunning;
    if (!isRunning) return;
    if (state.page) showPage(state.page, state);
    const pages = state.pages.toSorted(
        (one, other) => other.sentHere - one.sentHere || Date.parse(other.changed) - Date.parse(one.changed));
    part("pages").replaceChildren(...pages.map(row));
    part("none").hidden = pages.length > 0;
}

function showPage(page, { devices, isPrivate }) {
    part("title").textContent = page.title || page.site;
    part("told").textContent = toldText(page, isPrivate);
    const leave = part("leave");
    // A site that a wider pattern leaves out is told again only by a change of the list.
    leave.hidden = page.reason === "site" && page.pattern !== page.site;
    leave.replaceChildren(
        page.reason === "site" ? "Tell " : "Leave out ", apart("", page.site), page.reason === "site" ? " again" : "");
    leave.onclick = () => port.postMessage({ leaveOut: page.site, isOut: page.reason !== "site" });
    part("devices").replaceChildren(...(isPrivate ? [] : devices).map(deviceButton));
}

function deviceButton({ id, name, connected }) {
    const button = make("button", connected ? "device connected" : "device", "Send to ", apart("", name));
    button.type = "button";
    button.title = connected ? "Connected" : "Not connected; the page is offered there once it is";
    button.onclick = () => {
        button.disabled = true;
        sentTo = name;
        port.postMessage({ send: id });
    };
    return button;
}

function row(page) {
    const about = make("span", "about");
    if (page.sentHere) about.append(make("span", "sent", "sent to you"), " · ");
    about.append(apart("", page.device), " · ", apart("", hostOf(page.url)), ` · ${age(page.changed)}`);
    const button = make("button", "page", apart("title", page.title || page.url), about);
    button.type = "button";
    button.title = page.url;
    button.onclick = () => port.postMessage({ open: page.id });
    const item = document.createElement("li");
    item.append(button);
    return item;
}

let sentTo = "";
/// The last state, for another drawing once ages have changed.
let last = null;

port.onMessage.addListener((message) => {
    if ("state" in message) {
        last = message;
        show(message);
    } else if (message.failed) {
        say(part("trouble"), message.failed);
        for (const button of document.querySelectorAll("button:disabled")) button.disabled = false;
    } else if (message.done === "opened") {
        window.close();
    } else if (message.done === "sent") {
        part("done").replaceChildren("Sent to ", apart("", sentTo), ".");
        part("done").hidden = false;
    }
});

part("options").onclick = () => api.runtime.openOptionsPage();
port.postMessage({ again: true });
// Ages change, and so may what no event tells.
setInterval(() => {
    if (last) show(last);
    port.postMessage({ again: true });
}, 5000);
