// The settings and the progress of each puzzle, which are stored on the player's device.

export const SETTINGS = "linkpress/settings";
const STREAK = "linkpress/streak";
const MOST_SECONDS = 359999; // 99:59:59, the longest time that is shown
const MOST_HINTS = 9999;
const DEFAULTS = { colours: true, timer: true, vibration: true };

/** Return the progress of a puzzle from the stored value, which may be missing or invalid. */
function progressOf(stored) {
  const strokes = (value) => (Array.isArray(value) ? value.filter(Array.isArray) : []);
  const count = (value, most) => (value > 0 && value <= most ? Math.floor(value) : 0);
  const tally = (item) => ({ seconds: count(item?.seconds, MOST_SECONDS), hints: count(item?.hints, MOST_HINTS) });
  const history = strokes(stored?.history);
  const trial = stored?.trial;
  return {
    history,
    undone: strokes(stored?.undone),
    trial: Number.isInteger(trial) && trial >= 0 && trial <= history.length ? trial : null,
    ...tally(stored), // seconds and hints of the present attempt
    answered: stored?.answered === true, // whether the answer was shown in the present attempt
    solved: stored?.solved === true,
    best: stored?.best ? tally(stored.best) : null, // seconds and hints of the best attempt
    changed: count(stored?.changed, Number.MAX_SAFE_INTEGER), // the time of the last change of the drawing, in ms
  };
}

/** Return the better of two results: the one with fewer hints, or else with the shorter time. */
export function better(one, other) {
  if (!one || !other) return one ?? other;
  return (one.hints - other.hints || one.seconds - other.seconds) <= 0 ? one : other;
}

/**
 * Merge the progress that two windows have for the same puzzle. The later drawing wins, with its time. The puzzle
 * is solved if either window has solved it, and the better result is kept.
 */
export function merged(one, other) {
  const later = other.changed > one.changed ? other : one;
  const seconds = one.changed === other.changed ? Math.max(one.seconds, other.seconds) : later.seconds;
  return { ...later, seconds, solved: one.solved || other.solved, best: better(one.best, other.best) };
}

/** Return the number of a local day; the next day has the next number. */
const dayNumber = (day) => Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / 86_400_000;

export function openStorage() {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** Values in localStorage. Values that the browser refuses to store are kept until the page is closed. */
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
    return { ...DEFAULTS, ...this.read(SETTINGS) };
  }

  saveSettings(settings) {
    this.write(SETTINGS, settings);
  }

  /** Return the progress of a puzzle. `mark` is the key of its board. */
  progress(mark) {
    return progressOf(this.read(this.key(mark)));
  }

  /** Store progress, merged with the progress that another window may have stored, and return the result. */
  saveProgress(mark, progress) {
    const result = merged(progress, this.progress(mark));
    this.write(this.key(mark), result);
    return result;
  }

  /** Remember that a puzzle was solved on this day, whatever its book. */
  countDay(day) {
    const [count, today] = [this.streakOn(day), dayNumber(day)];
    if (this.read(STREAK)?.last !== today) this.write(STREAK, { last: today, count: count + 1 });
  }

  /** Return on how many days in a row a puzzle was solved, up to this day or the one before. */
  streakOn(day) {
    const { last, count } = this.read(STREAK) ?? {};
    return Number.isInteger(count) && [0, 1].includes(dayNumber(day) - last) ? count : 0;
  }

  /** The number of the last open puzzle. */
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
