// The archive's page: which days are solved, in what time, and how many of them in a row.
import { clock, counted } from "./telling.mjs";
import { Store, openStorage } from "./store.mjs";

const { words, id } = JSON.parse(document.querySelector('[type="application/json"]').textContent);
const kept = new Store(openStorage(), id);

function showStates() {
  const days = [...document.querySelectorAll("[data-mark]")];
  const solved = days.map((day) => {
    const { solved: isSolved, best } = kept.progress(day.dataset.mark);
    day.querySelector("i").textContent = isSolved ? `✓ ${best ? clock(best.seconds) : words.is_solved}` : "";
    return isSolved;
  });
  const begin = solved[0] ? 0 : 1; // the latest day may still be solved
  const end = solved.indexOf(false, begin);
  const streak = (end < 0 ? solved.length : end) - begin;
  const line = document.querySelector("#streak");
  line.hidden = streak <= 0;
  line.textContent = counted(words, words.streak, Math.max(0, streak));
}

showStates();
addEventListener("storage", showStates);
addEventListener("pageshow", showStates);
