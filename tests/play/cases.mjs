// Prints what the page's rules say about drawings from standard input.
import { readFileSync } from "node:fs";

const { Board, Lines, checkDrawing } = await import(`${process.env.WEB}/rules.mjs`);
const cases = JSON.parse(readFileSync(0, "utf8"));
const verdicts = cases.map(({ rows, cols, text, edges }) => {
  return checkDrawing(new Lines(Board.read(rows, cols, text), edges)).map(({ rule, cells }) => [rule, cells]);
});
console.log(JSON.stringify(verdicts));
