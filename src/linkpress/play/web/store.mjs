// What stays on the reader's device: settings, and the progress of each puzzle.

export const SETTINGS = "linkpress/settings";
const MOST_SECONDS = 359999; // 99:59:59
const MOST_HINTS = 9999;
const USUAL = { colours: true, timer: true, vibration: true };

/** What is known of a puzzle, from what was kept, whatever that is. */
function progressOf(found) {
  const strokes = (value) => (Array.isArray(value) ? value.filter(Array.isArray) : []);
  const count = (value, most) => (value > 0 && value <= most ? Math.floor(value) : 0);
  const tally = (one) => ({ seconds: count(one?.seconds, MOST_SECONDS), hints: count(one?.hints, MOST_HINTS) });
  const history = strokes(found?.history);
  const trial = found?.trial;
  return {
    history,
    undone: strokes(found?.undone),
    trial: Number.isInteger(trial) && trial >= 0 && trial <= history.length ? trial : null,
    ...tally(found), // of the attempt
    answered: found?.answered === true, // in this attempt
    solved: found?.solved === true,
    best: found?.best ? tally(found.best) : null, // of all attempts
    changed: count(found?.changed, Number.MAX_SAFE_INTEGER), // when it was drawn on, in ms
  };
}

/** The better of two times: the one with fewer hints, then the shorter. */
export function better(one, other) {
  if (!one || !other) return one ?? other;
  return (one.hints - other.hints || one.seconds - other.seconds) <= 0 ? one : other;
}

/** What two pages know of one puzzle: the later drawing with its time, and what was reached on either. */
export function merged(one, other) {
  const later = other.changed > one.changed ? other : one;
  const seconds = one.changed === other.changed ? Math.max(one.seconds, other.seconds) : later.seconds;
  return { ...later, seconds, solved: one.solved || other.solved, best: better(one.best, other.best) };
}

export function openStorage() {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** localStorage; what the browser does not take is kept as long as the page is open. */
export class Store {
  constructor(storage, book) {
    this.storage = storage;
    this.book = book;
    this.refused = new Map();
  }

  read(key) {
    try {
      return JSON.parse(this.refused.get(key) ?? this.storage.getItem(key));
    } catch {
      return null;
    }
  }

  write(key, value) {
    const text = JSON.stringify(value);
    try {
      this.storage.setItem(key, text);
      this.refused.delete(key);
    } catch {
      this.refused.set(key, text);
    }
  }

  settings() {
    return { ...USUAL, ...this.read(SETTINGS) };
  }

  saveSettings(settings) {
    this.write(SETTINGS, settings);
  }

  /** The progress of a puzzle, by the mark of its board. */
  progress(mark) {
    return progressOf(this.read(this.key(mark)));
  }

  /** Keep progress beside what another page may have kept meanwhile; what came out of both. */
  saveProgress(mark, progress) {
    const both = merged(progress, this.progress(mark));
    this.write(this.key(mark), both);
    return both;
  }

  /** The number of the puzzle that was open last. */
  get last() {
    return this.read(this.key("last"));
  }

  set last(number) {
    this.write(this.key("last"), number);
  }

  key(mark) {
    return `linkpress/${this.book}/${mark}`;
  }
}
