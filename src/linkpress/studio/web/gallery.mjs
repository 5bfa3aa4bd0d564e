// The galleries on the stage: the book's own cover in every design and palette, and a board in every theme.

import { book, tileOf, valueAt } from "./book.mjs";
import { byId, el, moveFocus, nameOf, quiet, refill, say } from "./dom.mjs";
import { act, choicesOf, inPlace } from "./form.mjs";
import { showView } from "./pages.mjs";
import { selection } from "./selection.mjs";

let tried = null; // the design and palette that are being tried; nothing is written before they are kept

export const hasCover = () => Boolean(valueAt(["cover"])) && valueAt(["cover"]) !== "no";

function chosen() {
  const { design = "", palette = 0 } = hasCover() ? valueAt(["cover"]) : {};
  return { name: design, palette: Number(palette) };
}

export function drawGallery() {
  if (selection.part === "looks") {
    const theme = valueAt(["theme"]), own = typeof theme === "object" ? ["theme", "base"] : ["theme"];
    return [galleryOf("theme", choicesOf(["theme"]).map((name) => ({ name })), (tile) => tile.name === (valueAt(own) ?? "classic"), (tile) => act("set", own, tile.name))];
  }
  const own = chosen(), { name } = tried ?? own, count = book.facts?.palettes[name] ?? 0;
  const palettes = Array.from({ length: count }, (_, index) => ({ name, palette: index + 1 }));
  const keep = ({ name: design, palette }) => { tried = null; return act("merge", ["cover"], { ...(design ? inPlace("design", design) : { design: null }), ...((palette || own.palette) && { palette: palette ? String(palette) : null }) }); };
  return [el("p.meaning", say("galleryKeys")), galleryOf("design", ["", ...choicesOf(["cover", "design"])].map((each) => ({ name: each })), (tile) => tile.name === own.name, (tile) => tile.name === own.name || keep(tile)),
    count > 1 && el("h2", say("otherColours", { design: nameOf("designs", name) })), count > 1 && galleryOf("palette", palettes, (tile) => tile.name === own.name && tile.palette === own.palette, keep)];
}

export function drawPreview() {
  const src = tileOf(tried ? { what: "design", ...tried } : { what: "front" });
  return el("div", { id: "preview" }, hasCover() && el("figure.preview", el("img", { src, alt: say("thumbnail") }), el("img.small", { src, alt: "" }), el("figcaption", say("thumbnail"))),
    quiet("otherDesign", () => showView("designs")));
}

export function refreshGallery() {
  if (book.kind === "book" && byId("desk").dataset.view === "designs") refill(byId("stage"), drawGallery());
}

/** Try a cover, or stop trying if there is none. */
function tryCover(cover) {
  if (JSON.stringify(cover) === JSON.stringify(tried)) return;
  tried = cover;
  if (byId("preview")) refill(byId("preview"), ...drawPreview().childNodes);
  refreshGallery();
}

/** Draw one gallery. Arrow keys go from picture to picture and try each; a click or Enter keeps one, Escape goes back. */
function galleryOf(what, choices, isChosen, keep) {
  const start = Math.max(0, choices.findIndex(isChosen));
  const go = (event) => {
    moveFocus(event, [...event.currentTarget.children], { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });
    if (event.key === "Escape") { document.querySelector(`#gallery-${what} [aria-checked=true]`)?.focus(); tryCover(null); }
  };
  return el("div", { class: `gallery ${what}`, id: `gallery-${what}`, role: "radiogroup", "aria-label": say(`galleries.${what}`), onkeydown: go, onfocusout: ({ relatedTarget }) => { if (!relatedTarget?.closest(".gallery")) tryCover(null); } }, choices.map((choice, index) => {
    const label = choice.palette ? String(choice.palette) : what === "theme" ? nameOf("choices", choice.name) : choice.name ? nameOf("designs", choice.name) : say("plainCover");
    return el("button.tile", { id: `tile-${what}-${choice.palette ?? (choice.name || "plain")}`, role: "radio", "aria-checked": String(isChosen(choice)), tabindex: index === start ? 0 : -1, onclick: () => keep(choice), onfocus: () => { if (what !== "theme") tryCover(isChosen(choice) ? null : choice); } },
      el("img", { src: tileOf({ what: what === "theme" ? what : "design", ...choice }), alt: "", loading: "lazy" }), el("span", label));
  }));
}
