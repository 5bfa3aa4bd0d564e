// The open book or feed: its text and values as the server has them, and changes to them.

import { ask, send, Refused } from "./api.mjs";
import { toast } from "./dom.mjs";

const listeners = new Set();

export const book = { file: "", text: "", version: -1, turn: 0, values: {}, undo: null, redo: null, problems: [], saved: true, unreadable: null, reading: null, build: null, facts: null };

export function onBook(listener) { listeners.add(listener); }

let current = ""; // the file of the book that is open or is being opened
let last = Promise.resolve(), pending = 0, newest = null;

/** Run tasks on the book one after the other. The book is shown only as the last of them leaves it. */
function enqueue(task) {
  countPending(1);
  const done = last.then(task).then((state) => { if (state.file === current) newest = state; return state; }).finally(() => {
    countPending(-1);
    const state = newest;
    if (pending || !state) return;
    newest = null;
    become(state);
  });
  last = done.catch(() => {});
  return done;
}

function countPending(more) {
  pending += more;
  document.body.classList.toggle("writing", pending > 0);
}

function become(state) {
  const isOlder = state.file === book.file && state.turn < book.turn; // an event about a build has come meanwhile
  Object.assign(book, state, isOlder ? { turn: book.turn, build: book.build, elsewhere: book.elsewhere } : {});
  for (const listener of listeners) listener(book);
}

export const settled = () => last;

export const isSettled = () => !pending;

export function closeBook() { current = book.file = book.kind = ""; newest = null; }

export async function openBook(file) {
  [current, newest] = [file, null];
  await reload();
  await allDone();
}

/** Resolve when the book is shown, which is after all tasks, also those that are added meanwhile. */
export async function allDone() { while (pending) await last; }

export function reload(query = {}, file = current) { return enqueue(() => ask("book", { file, ...query })); }

export function valueAt(path, values = book.values) {
  return path.reduce((inner, step) => (inner === null || inner === undefined ? undefined : inner[step]), values);
}

/** Return the address of a request about the open book. */
export const addressOf = (name, query) => `api/${name}?${new URLSearchParams({ file: book.file, ...query })}`;

/** Return the address of a drawing of the cover's front or of a board, which the browser keeps as long as nothing that it shows changes. */
export function tileOf(query) {
  const of = [...JSON.stringify({ ...book.values, levels: [] })].reduce((sum, letter) => (Math.imul(31, sum) + letter.codePointAt(0)) | 0, 0);
  return addressOf("tile", { ...query, of });
}

/** Make a change, and return the message if the server refuses it, else an empty text. */
export function change(kind, path, value) {
  const { file } = book;
  return enqueue(() => send("change", { file, kind, path, value })).then(() => "", (error) => {
    if (error instanceof Refused) return error.message;
    throw error;
  });
}

/** Make a change, and show the message if the server refuses it. */
export async function edit(kind, path, value) {
  const refused = await change(kind, path, value);
  if (refused) toast(refused);
}

export function step(name, { file } = book) { return enqueue(() => send(name, { file })); }

/** Write the text as it is shown, after the server has read the user's own words. */
export const save = () => writeText(() => ({ text: book.text, base: book.text }));

/** Write the whole text. `textAndBase` returns it, and the text that it is based on, when its turn comes. */
export function writeText(textAndBase, { file } = book) { return enqueue(() => send("text", { file, ...textAndBase() })); }
