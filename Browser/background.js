// What the extension does while no list is open: it tells the page in front of the person, and opens pages.

import { Host } from "./host.js";
import { bare, cut, innerPlace, part, pointing, webAddress } from "./pages.js";
import { told as toldAddress } from "./secrets.js";
import { leavingOut, patterns, usual } from "./sites.js";

const api = globalThis.browser ?? chrome;

/// How long to wait after a tab changed, and after the title or the place in a page changed, in milliseconds.
const tabPause = 150;
const placePause = 3000;
/// The shortest time between two changes that are told, whatever a page does, in milliseconds.
const leastPause = 1000;
/// How long a page may take to say which place is in view, in milliseconds.
const placePatience = 300;

// MARK: State. All of it can be made again: a browser may end this page whenever the host does not run.

/// The patterns of sites that are left out, once they are read.
let sites = api.storage.local.get("sites").then(({ sites }) => patterns(sites ?? usual));
/// The place in the page of each tab: `url`, `scroll`, `inner` and `text`.
const places = new Map();
/// The place to which a page goes once it has loaded, for tabs that were opened here.
const waiting = new Map();
/// The pages of the other machines, by identifier.
const pages = new Map();
/// The page that was told last; null if none is current.
let told = null;
/// The address of a page that goes on elsewhere, until the person looks at another one here.
let givenAway = null;
/// Whether the node keeps what goes on here to itself.
let isPrivate = false;
/// The open lists.
const lists = new Set();
let devices = [];

const host = new Host({
    begun() {
        pages.clear();
        told = null;
        Promise.all([host.ask({ handle: browserName() }), host.ask({ watch: true })]).then(tell, report);
    },
    heard(event) {
        switch (event.event) {
            case "save": save(event).catch(report); break;
            case "continue": continueHere(event).catch(report); break;
            case "continued": if (event.taken) giveAway(event.instance); break;
            case "ended": giveAway(event.instance); break;
            case "anew": pages.clear(); show(); break;
            case "changed": if (event.page?.id) pages.set(event.page.id, event.page); show(); break;
            case "gone": pages.delete(event.id); show(); break;
        }
    },
    changed() {
        if (host.state === "running") {
            // The person may have gone on while the node did not run.
            tell();
            lookAround().catch(report);
        } else {
            devices = [];
        }
        show();
    },
});

/// Returns the name of this browser for people.
function browserName() {
    if (api.runtime.getURL("").startsWith("moz-extension:")) return "Firefox";
    const brands = (navigator.userAgentData?.brands ?? []).map(({ brand }) => brand);
    return brands.find((brand) => !/not.*brand|^chromium$/i.test(brand)) ?? "Chromium";
}

/// Reports what went wrong where a developer looks; a person sees the state in the list.
function report(error) {
    console.warn(`Baton: ${error?.message ?? error}`);
}

// MARK: Telling

/// Returns the tab in front of the person, or undefined.
async function activeTab() {
    const [tab] = await api.tabs.query({ active: true, lastFocusedWindow: true });
    return tab;
}

/// Returns the page of a tab; or why it is not told.
async function pageOf(tab) {
    if (!tab || tab.incognito) return { reason: "private" };
    const url = webAddress(bare(tab.url ?? ""));
    if (!url) return { reason: "kind" };
    // An address that lets anyone in who has it is told without its query, or not at all.
    const address = toldAddress(url.href);
    if (!address) return { reason: "secret" };
    const isWhole = address === url.href;
    const place = places.get(tab.id);
    const isHere = place?.url === url.href;
    const page = {
        title: cut(tab.title),
        url: isHere && isWhole ? pointing(address, place.text) : address,
        scroll: isHere ? place.scroll : 0,
        ...(isHere && place.inner ? { inner: place.inner } : {}),
    };
    const pattern = leavingOut(await sites, url);
    const found = { page, host: url.hostname, isCut: !isWhole };
    return pattern ? { ...found, reason: "site", pattern } : found;
}

let telling = Promise.resolve();
let isMoreToTell = false;

/// Tells the page in front of the person. Calls wait for each other, and several that wait are one.
function tell() {
    if (isMoreToTell) return;
    isMoreToTell = true;
    telling = telling.then(() => {
        isMoreToTell = false;
        return tellNow();
    }).catch(report).then(show);
}

async function tellNow() {
    if (host.state !== "running") return;
    const { page, reason } = await pageOf(await activeTab());
    const next = reason ? null : page;
    if (next && givenAway === bare(next.url)) return;
    givenAway = null;
    if (JSON.stringify(next) === JSON.stringify(told)) return;
    const before = told;
    told = next;
    try {
        if (!next) {
            await host.ask({ resign: true });
        } else if (before) {
            await host.ask({ update: next });
        } else {
            await host.ask({ become: next });
        }
    } catch (error) {
        // The next change begins anew.
        told = null;
        throw error;
    }
}

let timer = null;
let dueAt = Infinity;
let lastAt = 0;

/// Tells the page after a pause; an earlier call that is due sooner counts.
function tellSoon(pause) {
    const now = Date.now();
    const due = Math.max(now + pause, lastAt + leastPause);
    if (due >= dueAt) return;
    clearTimeout(timer);
    dueAt = due;
    timer = setTimeout(() => {
        dueAt = Infinity;
        lastAt = Date.now();
        tell();
    }, due - now);
}

/// Notes that the page of this browser goes on elsewhere, or that its activity ended.
function giveAway(instance) {
    if (isSent(instance) || !told) return;
    givenAway = bare(told.url);
    told = null;
    show();
}

/// Whether an instance is a page that was sent to another machine.
function isSent(instance) {
    return typeof instance === "string" && instance.startsWith("sent-");
}

/// Answers that the page is up to date, with the place that is in view now.
async function save({ number, instance }) {
    if (isSent(instance) || !told) return host.ask({ saved: number });
    const tab = await activeTab();
    await askPlace(tab);
    const { page, reason } = await pageOf(tab);
    if (reason) return host.ask({ saved: number });
    told = page;
    await host.ask({ saved: number, update: page });
}

/// Asks the page of a tab which place is in view; a page that does not answer in time keeps the last one.
async function askPlace(tab) {
    if (tab?.id === undefined) return;
    const answer = api.tabs.sendMessage(tab.id, { kind: "place" }, { frameId: 0 });
    const late = new Promise((resolve) => setTimeout(resolve, placePatience));
    try {
        notePlace(tab.id, await Promise.race([answer, late]));
    } catch {
        // The page was open before the extension, or is none in which scripts may run: its place is unknown.
    }
}

function notePlace(tab, place) {
    if (typeof place?.url !== "string") return;
    places.set(tab, {
        url: bare(place.url), scroll: part(place.scroll), inner: innerPlace(place.inner), text: String(place.text ?? ""),
    });
}

// MARK: Opening

/// Opens the page of an activity that the person continues here, once the node knows that it will be opened.
async function continueHere({ number, page }) {
    const url = webAddress(page?.url);
    if (!url) return;
    await host.ask({ opened: number });
    await open(url.href, page);
}

/// Opens a page in a new tab, in front, at the place where it was.
async function open(url, page) {
    const windows = await api.windows.getAll({ windowTypes: ["normal"] });
    const usable = windows.filter((window) => !window.incognito);
    const window = usable.find((window) => window.focused) ?? usable[0];
    let tab;
    if (window) {
        tab = await api.tabs.create({ url, active: true, windowId: window.id });
        await api.windows.update(window.id, { focused: true });
    } else {
        tab = (await api.windows.create({ url, focused: true })).tabs?.[0];
    }
    const [scroll, inner] = [part(page.scroll), innerPlace(page.inner)];
    if (tab?.id !== undefined && (scroll > 0 || inner)) {
        waiting.set(tab.id, { url: webAddress(bare(url)).href, scroll, inner });
    }
}

/// Continues a page of another machine here.
async function continuePage(id) {
    const listed = pages.get(id);
    if (!listed) throw new Error("That page is not offered any more.");
    const { page } = await host.ask({ continue: id, take: listed.sentHere === true });
    const url = webAddress(page?.url);
    if (!url) throw new Error("That page can't be opened.");
    await open(url.href, page);
}

/// Offers the page in front of the person on another machine.
async function send(device) {
    const tab = await activeTab();
    await askPlace(tab);
    const { page } = await pageOf(tab);
    if (!page) throw new Error("This tab can't be sent.");
    const instance = `sent-${crypto.randomUUID()}`;
    const { activity } = await host.ask({ become: page, instance, lasting: true });
    try {
        if (activity?.private) throw new Error("This machine is kept private. Type `baton private off` first.");
        await host.ask({ send: device, instance });
    } catch (error) {
        await host.ask({ finish: true, instance });
        throw error;
    }
}

// MARK: The list

/// Tells the open lists the state, and marks the button if pages were sent to this machine.
async function show() {
    const sent = [...pages.values()].filter((page) => page.sentHere === true).length;
    api.action.setBadgeText({ text: sent ? String(sent) : "" });
    if (!lists.size) return;
    const { page, reason, pattern, host: site, isCut } = await pageOf(await activeTab());
    const state = {
        state: host.state,
        text: host.text,
        isPrivate,
        page: page ? { title: page.title, site, reason, pattern, isCut, isTold: told !== null && !reason } : null,
        pages: [...pages.values()],
        devices,
    };
    for (const list of lists) list.postMessage(state);
}

/// Asks for what no event tells: the machines, and whether this one is kept private.
async function lookAround() {
    if (host.state !== "running" || !lists.size) return;
    const [machines, privacy] = await Promise.all([host.ask({ devices: true }), host.ask({ private: true })]);
    devices = machines.devices ?? [];
    isPrivate = privacy.private === true;
    show();
}

/// Adds a site to those that are left out, or takes it out of them.
async function leaveOut(site, isOut) {
    const { sites: text = usual } = await api.storage.local.get("sites");
    const lines = text.split("\n").filter((line) => line.trim().toLowerCase() !== site);
    if (isOut) lines.push(site);
    await api.storage.local.set({ sites: lines.join("\n").replace(/\n+$/, "") + "\n" });
}

api.runtime.onConnect.addListener((port) => {
    // Pages of the web can't connect; this is for scripts of the extension that run in them.
    if (port.name !== "list" || !port.sender?.url?.startsWith(api.runtime.getURL(""))) {
        port.disconnect();
        return;
    }
    lists.add(port);
    port.onDisconnect.addListener(() => lists.delete(port));
    port.onMessage.addListener(async ({ open, send: device, leaveOut: site, isOut, again }) => {
        let done = "";
        try {
            if (typeof open === "string") {
                await continuePage(open);
                done = "opened";
            } else if (typeof device === "string") {
                await send(device);
                done = "sent";
            } else if (typeof site === "string") {
                await leaveOut(site, isOut === true);
                done = "noted";
            } else if (again) {
                host.connect();
                await lookAround();
            }
            port.postMessage({ done, device });
        } catch (error) {
            port.postMessage({ failed: String(error?.message ?? error) });
        }
    });
    host.connect();
    show();
    lookAround().catch(report);
});

// MARK: Events of the browser

api.tabs.onActivated.addListener(() => tellSoon(tabPause));
api.tabs.onUpdated.addListener((id, change, tab) => {
    if (!tab.active) return;
    if (change.url || change.status === "complete") tellSoon(tabPause);
    else if (change.title) tellSoon(placePause);
});
api.tabs.onRemoved.addListener((id) => {
    places.delete(id);
    waiting.delete(id);
    tellSoon(tabPause);
});
api.windows.onFocusChanged.addListener((id) => {
    if (id !== api.windows.WINDOW_ID_NONE) tellSoon(tabPause);
});

api.runtime.onMessage.addListener((message, sender, answer) => {
    if (sender.id !== api.runtime.id || !sender.tab || sender.frameId !== 0) return false;
    switch (message?.kind) {
        case "place":
            notePlace(sender.tab.id, message);
            if (sender.tab.active) tellSoon(placePause);
            return false;
        case "loaded": {
            const place = waiting.get(sender.tab.id);
            waiting.delete(sender.tab.id);
            const isHere = place && place.url === bare(String(message.url));
            answer(isHere ? { scroll: place.scroll, inner: place.inner } : {});
            return false;
        }
        default: return false;
    }
});

api.storage.onChanged.addListener((changes, area) => {
    if (area !== "local" || !changes.sites) return;
    sites = Promise.resolve(patterns(changes.sites.newValue ?? usual));
    tell();
});

// While the host does not run, the browser may end this page; these begin it again.
api.runtime.onStartup.addListener(() => host.connect());
api.runtime.onInstalled.addListener(() => host.connect());
api.alarms.create("connect", { periodInMinutes: 1 });
api.alarms.onAlarm.addListener(() => host.connect());
host.connect();
