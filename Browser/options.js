// The list of sites that are left out, for a person to change.

import { usual } from "./sites.js";

const api = globalThis.browser ?? chrome;
const part = (id) => document.getElementById(id);

part("sites").value = (await api.storage.local.get("sites")).sites ?? usual;
part("sites").oninput = () => (part("done").textContent = "");

part("save").onclick = async () => {
    try {
        await api.storage.local.set({ sites: part("sites").value });
        part("done").textContent = "Saved.";
    } catch (error) {
        part("done").textContent = `Not saved: ${error.message}`;
    }
};

part("restore").onclick = () => {
    part("sites").value = usual;
    part("done").textContent = "Not saved yet.";
};
