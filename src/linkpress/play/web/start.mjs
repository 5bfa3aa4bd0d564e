// Starts the player of the element before the script.
import { start } from "./player.mjs";

const host = document.currentScript.previousElementSibling;
// With the fonts there, a board's numbers are laid out once: a second time took 40 of 140 ms for 50 × 50.
const fonts = [...document.fonts].filter((font) => font.family.includes("Linkpress Plex"));
Promise.allSettled(fonts.map((font) => font.load())).then(() => start(host, host.dataset.page === "true"));
