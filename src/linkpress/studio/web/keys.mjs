// Keys of the window: the next zone, a dialog to find something by typing, and the list of all keys.

import { byId, el, entriesOf, moveFocus, openDialog, refill, say } from "./dom.mjs";
import { labelsOf, nameOfPart, partNames, settingPaths } from "./form.mjs";
import { placeOf } from "./pages.mjs";

const MOST_FOUND = 12;
// What gets the focus in each zone: the bar, the rail, the stage and the inspector.
const ZONES = [["header", "#home"], ["#rail", ".part[tabindex='0']"], ["#right", "#stage"], ["#inspector", "#panel"]];

/** Move the focus to the next zone that is visible, or to the one before for a step of -1. */
export function goToZone(step) {
  const seen = ZONES.map(([zone, place]) => [document.querySelector(zone), place]).filter(([zone]) => zone.checkVisibility());
  const at = seen.findIndex(([zone]) => zone.contains(document.activeElement)), [zone, place] = seen.at((at + step) % seen.length);
  zone.querySelector(place)?.focus();
}

export function showKeys() {
  openDialog(say("keysTitle"), el("dl", entriesOf("keyList").flatMap(([keys, does]) => [el("dt", el("kbd", keys)), el("dd", does)])));
}

/** Ask for a part, a setting or the number of a puzzle. Call one of the functions with what is chosen. */
export function openFinder(toPart, toKey, toPuzzle) {
  const parts = partNames().map((name) => [nameOfPart(name), "", () => toPart(name)]);
  const all = [...parts, ...[...settingPaths()].map((path) => [labelsOf(path), path.join("."), () => toKey(path)])];
  const draw = () => {
    const typed = byId("find").value.trim().toLowerCase(), number = Number(typed);
    const found = all.filter(([label, key]) => typed && `${label} ${key}`.toLowerCase().includes(typed));
    if (placeOf(number)) found.unshift([say("puzzle", { number }), "", () => toPuzzle(number)]);
    refill(byId("found"), found.slice(0, MOST_FOUND).map(([label, key, task]) => el("button", { onclick: () => { dialog.close(); task(); } }, el("strong", label), el("span.meaning", key))));
  };
  const step = (event) => moveFocus(event, [byId("find"), ...byId("found").children], { ArrowDown: 1, ArrowUp: -1 });
  const dialog = openDialog(say("find"), el("form.fields", { onkeydown: step, onsubmit: (event) => { event.preventDefault(); byId("found").firstChild?.click(); } },
    el("input", { id: "find", "aria-label": say("findWhat"), placeholder: say("findWhat"), autocomplete: "off", oninput: draw }), el("div", { id: "found", role: "group", "aria-label": say("found") })));
  byId("find").focus();
}
