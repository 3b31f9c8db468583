// The connection to `baton browser host`, which speaks to the node of this machine.

const name = "org.baton.browser";
/// How long an answer may take, in milliseconds.
const patience = 10_000;
/// The pauses before the host is started again, in milliseconds; the last one is repeated.
const pauses = [1000, 5000, 20_000, 60_000];

const api = globalThis.browser ?? chrome;

export class Host {
    #port = null;
    #asked = new Map();
    #number = 0;
    #failures = 0;
    #timer = null;
    /// What the host said before it ended.
    #reason = "";

    /// One of `starting`, `running`, `lost` (the node does not run) and `missing` (the host can't be started, or failed).
    state = "starting";
    /// Why the host is missing, for a person.
    text = "";

    /// `begun` is called when a host was started, `heard` with each event, and `changed` with each change of the state.
    constructor({ begun, heard, changed }) {
        Object.assign(this, { begun, heard, changed });
    }

    /// Starts the host, unless it runs.
    connect() {
        clearTimeout(this.#timer);
        if (this.#port) return;
        const port = api.runtime.connectNative(name);
        this.#port = port;
        this.#reason = "";
        port.onMessage.addListener((message) => this.#take(message));
        port.onDisconnect.addListener((ended) => {
            if (this.#port !== port) return;
            this.#lose(api.runtime.lastError?.message ?? ended?.error?.message ?? "");
        });
        this.begun();
    }

    /// Sends a message, and returns the answer; throws if the answer is an error.
    ask(message) {
        return new Promise((resolve, reject) => {
            if (!this.#port) {
                reject(new Error("Baton is not connected."));
                return;
            }
            const id = (this.#number += 1);
            const timer = setTimeout(() => {
                this.#asked.delete(id);
                reject(new Error("Baton did not answer in time."));
            }, patience);
            this.#asked.set(id, { resolve, reject, timer });
            this.#port.postMessage({ ...message, id });
        });
    }

    #take(message) {
        if (typeof message !== "object" || message === null) return;
        if (typeof message.event === "string") {
            if (message.event === "failed") this.#reason = String(message.error ?? "");
            if (message.event === "lost") this.#become("lost");
            if (message.event === "back") this.#become("running");
            this.heard(message);
            return;
        }
        const asked = this.#asked.get(message.id);
        if (!asked) return;
        this.#asked.delete(message.id);
        clearTimeout(asked.timer);
        if ("error" in message) {
            asked.reject(new Error(String(message.error)));
        } else {
            this.#failures = 0;
            this.#become("running");
            asked.resolve(message);
        }
    }

    #lose(text) {
        this.#port = null;
        for (const { reject, timer } of this.#asked.values()) {
            clearTimeout(timer);
            reject(new Error("The connection to Baton ended."));
        }
        this.#asked.clear();
        this.#become("missing", this.#reason || text);
        this.#timer = setTimeout(() => this.connect(), pauses[Math.min(this.#failures, pauses.length - 1)]);
        this.#failures += 1;
    }

    #become(state, text = "") {
        if (this.state === state && this.text === text) return;
        this.state = state;
        this.text = text;
        this.changed();
    }
}
