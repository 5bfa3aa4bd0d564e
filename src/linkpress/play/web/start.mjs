// Starts the player in the element before this script.
import { start } from "./player.mjs";

const host = document.currentScript.previousElementSibling;
// The player waits for the fonts. Otherwise the numbers would be laid out twice, which took 40 of 140 ms for 50 × 50.
const fonts = [...document.fonts].filter((font) => font.family.includes("Linkpress Plex"));
Promise.allSettled(fonts.map((font) => font.load())).then(() => start(host, host.dataset.page === "true"));
