// Opens what standard input has in the npm package pzpr, and prints what it finds wrong with each.
const pzpr = require("pzpr");

const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
const puzzle = new pzpr.Puzzle();

function next(found) {
  const text = cases.shift();
  if (text === undefined) return console.log(JSON.stringify(found));
  puzzle.once("fail-open", () => next([...found, ["refused", ""]]));
  puzzle.open(text, () => {
    const verdict = puzzle.check(true);
    next([...found, [verdict.complete ? "right" : verdict[0], puzzle.getURL().replace(/^.*\?/, "")]]);
  });
}
next([]);
