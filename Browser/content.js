// Runs in each page: says which place is in view, and goes to the place where another machine was.

(() => {
    const api = globalThis.browser ?? chrome;
    /// How long the page must rest before its place is told, in milliseconds.
    const rest = 700;
    /// How long the browser may take to go to a text by itself, in milliseconds.
    const arrival = 400;
    /// The most characters of a page in which a text is sought.
    const pageLength = 500_000;
    /// The most elements among which one is sought that scrolls by itself.
    const elementsMost = 20_000;
    /// How long such an element may take until it is there and has its content, in milliseconds, and how often it is sought.
    const innerPatience = 5000;
    const innerPause = 250;

    // MARK: The place in view

    /// The part of the page that is above the view, from 0 to 1.
    function scroll() {
        const element = document.scrollingElement;
        if (!element) return 0;
        const room = element.scrollHeight - element.clientHeight;
        return room > 0 ? Math.min(Math.max(element.scrollTop / room, 0), 1) : 0;
    }

    /// Returns the largest element that scrolls by itself, such as the text of a page whose bars stay; null if none is large.
    function mainScroller() {
        const elements = document.body?.getElementsByTagName("*") ?? [];
        let [found, size] = [null, (innerWidth * innerHeight) / 8];
        for (let place = 0; place < Math.min(elements.length, elementsMost); place += 1) {
            const element = elements[place];
            const area = element.clientWidth * element.clientHeight;
            if (area <= size || element.scrollHeight - element.clientHeight < 8) continue;
            if (element === document.scrollingElement) continue;
            if (!/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) continue;
            [found, size] = [element, area];
        }
        return found;
    }

    /// Returns the path of an element, by which the same page has it elsewhere; null if it is too deep or odd.
    function path(element) {
        if (/^[A-Za-z0-9_:.-]{1,128}$/.test(element.id) && document.getElementById(element.id) === element) {
            return `#${element.id}`;
        }
        const places = [];
        for (let one = element; one !== document.body; one = one.parentElement) {
            if (!one?.parentElement || places.length === 40) return null;
            places.unshift(`/${[...one.parentElement.children].indexOf(one)}`);
        }
        return places.join("");
    }

    /// Returns the element at a path; undefined if the page has none there.
    function elementAt(path) {
        if (path.startsWith("#")) return document.getElementById(path.slice(1)) ?? undefined;
        return path.split("/").slice(1).reduce((element, place) => element?.children[Number(place)], document.body);
    }

    /// Returns the place in the largest part of the page that scrolls by itself; undefined at its beginning.
    function inner() {
        const element = mainScroller();
        if (!element || element.scrollTop < 8) return undefined;
        const at = path(element);
        const room = element.scrollHeight - element.clientHeight;
        return at ? { at, part: Math.min(Math.max(element.scrollTop / room, 0), 1) } : undefined;
    }

    function caret(x, y) {
        if (document.caretPositionFromPoint) {
            const place = document.caretPositionFromPoint(x, y);
            return place && { node: place.offsetNode, offset: place.offset };
        }
        const range = document.caretRangeFromPoint?.(x, y);
        return range && { node: range.startContainer, offset: range.startOffset };
    }

    /// Whether a node stays where it is while the page scrolls, as bars and menus do.
    function isFixed(node) {
        for (let element = node.parentElement; element; element = element.parentElement) {
            const { position } = getComputedStyle(element);
            if (position === "fixed" || position === "sticky") return true;
        }
        return false;
    }

    /// Returns the words in view first, from the top left on, as ranges of the text of a node.
    function wordsInView() {
        for (let y = 4; y < innerHeight; y += 20) {
            for (const x of [0.3, 0.5, 0.12, 0.75]) {
                const place = caret(innerWidth * x, y);
                if (place?.node.nodeType !== Node.TEXT_NODE || isFixed(place.node)) continue;
                const box = document.createRange();
                box.selectNodeContents(place.node);
                const isThere = [...box.getClientRects()].some((part) => part.top <= y && y <= part.bottom);
                if (!isThere) continue;
                const words = wordsFrom(place.node.data, place.offset);
                if (words) return words;
            }
        }
        return null;
    }

    /// Returns the words of a text from that place on, as long as they are useful; null if they are too few.
    function wordsFrom(text, offset) {
        const from = Math.max(offset - 60, 0);
        const piece = text.slice(from, offset + 400);
        const words = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(piece)]
            .filter((word) => word.isWordLike)
            .map((word) => ({ start: from + word.index, end: from + word.index + word.segment.length }));
        // A piece may begin and end within a word.
        if (from > 0) words.shift();
        if (offset + 400 < text.length) words.pop();
        const next = words.filter((word) => word.end > offset);
        return next.length >= 3 ? { text, words: next } : null;
    }

    const plain = (text) => text.replace(/\s+/g, " ").trim();

    /// Returns a text that is in view and nowhere else in the page, encoded for an address; empty if there is none.
    function textInView(isScrolled) {
        if (!document.body || !isScrolled) return "";
        const found = wordsInView();
        if (!found) return "";
        const page = document.body.textContent;
        if (page.length > pageLength) return "";
        const whole = plain(page).toLowerCase();
        for (const count of [6, 12, 20]) {
            const last = found.words[Math.min(count, found.words.length) - 1];
            const text = plain(found.text.slice(found.words[0].start, last.end));
            const sought = text.toLowerCase();
            const first = whole.indexOf(sought);
            if (whole.indexOf(sought, first + 1) < 0) return encode(text);
        }
        return "";
    }

    /// Encodes a text for an address; `-`, `,` and `&` have a meaning there.
    function encode(text) {
        return encodeURIComponent(text).replaceAll("-", "%2D");
    }

    function place() {
        const within = inner();
        const isScrolled = within !== undefined || (document.scrollingElement?.scrollTop ?? 0) >= 8;
        return { kind: "place", url: location.href, scroll: scroll(), inner: within, text: textInView(isScrolled) };
    }

    // MARK: Telling

    let timer = null;

    function tell() {
        if (document.visibilityState !== "visible") return;
        try {
            // Nobody answers. That the extension was removed or is new is no matter of this page.
            Promise.resolve(api.runtime.sendMessage(place())).catch(stop);
        } catch {
            stop();
        }
    }

    function stop() {
        clearTimeout(timer);
        removeEventListener("scroll", tellSoon, { capture: true });
    }

    function tellSoon() {
        clearTimeout(timer);
        timer = setTimeout(tell, rest);
    }

    // Elements that scroll by themselves tell it to no one above them, but to those who listen on the way down.
    addEventListener("scroll", tellSoon, { capture: true, passive: true });
    // The page may have been scrolled before this, by the person or by a browser that shows it again.
    tellSoon();

    api.runtime.onMessage.addListener((message, sender, answer) => {
        if (sender.id === api.runtime.id && message?.kind === "place") answer(place());
        return false;
    });

    // MARK: Going on

    /// Goes to the place where another machine was, if the browser did not find the text that the address points to.
    async function goOn() {
        const { scroll: part, inner } = (await api.runtime.sendMessage({ kind: "loaded", url: location.href })) ?? {};
        if (typeof part !== "number") return;
        let isMoved = false;
        for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
            addEventListener(kind, () => (isMoved = true), { once: true, passive: true });
        }
        if (document.readyState !== "complete") await new Promise((go) => addEventListener("load", go, { once: true }));
        await new Promise((go) => setTimeout(go, arrival));
        const element = document.scrollingElement;
        if (!isMoved && element && element.scrollTop === 0) {
            element.scrollTop = part * (element.scrollHeight - element.clientHeight);
        }
        if (inner) await goWithin(inner, () => isMoved);
    }

    /// Goes to a place in a part of the page that scrolls by itself, once it is there, unless a text in it was found.
    async function goWithin({ at, part }, isMoved) {
        const until = Date.now() + innerPatience;
        while (!isMoved() && Date.now() < until) {
            const element = elementAt(at);
            if (element?.scrollTop > 0) return;
            if (element) element.scrollTop = part * (element.scrollHeight - element.clientHeight);
            if (element?.scrollTop > 0) return;
            await new Promise((go) => setTimeout(go, innerPause));
        }
    }

    goOn().catch(() => {
        // The extension was removed or updated while the page was loading, so nothing is known of a place.
    });
})();
