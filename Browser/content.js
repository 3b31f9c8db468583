// Runs in each page: says which place is in view, and goes to the place where another machine was.

(() => {
    const api = globalThis.browser ?? chrome;
    /// How long the page must rest before its place is told, in milliseconds.
    const rest = 700;
    /// How long the browser may take to go to a text by itself, in milliseconds.
    const arrival = 400;
    /// The most characters of a page in which a text is sought.
    const pageLength = 500_000;

    // MARK: The place in view

    /// The part of the page that is above the view, from 0 to 1.
    function scroll() {
        const element = document.scrollingElement;
        if (!element) return 0;
        const room = element.scrollHeight - element.clientHeight;
        return room > 0 ? Math.min(Math.max(element.scrollTop / room, 0), 1) : 0;
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
    function textInView() {
        if (!document.body || (document.scrollingElement?.scrollTop ?? 0) < 8) return "";
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
        return { kind: "place", url: location.href, scroll: scroll(), text: textInView() };
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
        removeEventListener("scroll", tellSoon);
    }

    function tellSoon() {
        clearTimeout(timer);
        timer = setTimeout(tell, rest);
    }

    addEventListener("scroll", tellSoon, { passive: true });

    api.runtime.onMessage.addListener((message, sender, answer) => {
        if (sender.id === api.runtime.id && message?.kind === "place") answer(place());
        return false;
    });

    // MARK: Going on

    /// Goes to the place where another machine was, if the browser did not find the text that the address points to.
    async function goOn() {
        const { scroll: part } = (await api.runtime.sendMessage({ kind: "loaded", url: location.href })) ?? {};
        if (typeof part !== "number") return;
        let isMoved = false;
        for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
            addEventListener(kind, () => (isMoved = true), { once: true, passive: true });
        }
        if (document.readyState !== "complete") await new Promise((go) => addEventListener("load", go, { once: true }));
        await new Promise((go) => setTimeout(go, arrival));
        const element = document.scrollingElement;
        if (isMoved || !element || element.scrollTop > 0) return;
        element.scrollTop = part * (element.scrollHeight - element.clientHeight);
    }

    goOn().catch(() => {
        // The extension was removed or updated while the page was loading, so nothing is known of a place.
    });
})();
