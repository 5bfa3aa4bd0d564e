// A page whose title has the word comes first, then sections, then text.
const Scorer = {
  objNameMatch: 5,
  objPartialMatch: 2,
  objPrio: { 0: 5, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 60,
  partialTitle: 40,
  term: 3,
  partialTerm: 1,
};
