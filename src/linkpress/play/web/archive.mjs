// The archive page: shows which days are solved, in what time, and how many days in a row are solved.
import { clock, counted } from "./phrases.mjs";
import { Store, openStorage } from "./store.mjs";

const { words, id } = JSON.parse(document.querySelector('[type="application/json"]').textContent);
const store = new Store(openStorage(), id);

function showStates() {
  const days = [...document.querySelectorAll("[data-mark]")];
  const solved = days.map((day) => {
    const { solved: isSolved, best } = store.progress(day.dataset.mark);
    day.querySelector("i").textContent = isSolved ? `✓ ${best ? clock(best.seconds) : words.is_solved}` : "";
    return isSolved;
  });
  const begin = solved[0] ? 0 : 1; // an unsolved latest day does not end the row, since it may still be solved
  const end = solved.indexOf(false, begin);
  const streak = (end < 0 ? solved.length : end) - begin;
  const line = document.querySelector("#streak");
  line.hidden = streak <= 0;
  line.textContent = counted(words, words.streak, Math.max(0, streak));
}

showStates();
addEventListener("storage", showStates);
addEventListener("pageshow", showStates);
