// Rank pages whose title has the searched words first; the more of the title they make up, the higher.
var Scorer = {
  score: ([, title, , , score]) => {
    const query = (new URLSearchParams(location.search).get("q") || "").trim().toLowerCase();
    return query && title.toLowerCase().includes(query) ? score + (100 * query.length) / title.length : score;
  },
  objNameMatch: 5,
  objPartialMatch: 2,
  objPrio: { 0: 5, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 3,
  partialTerm: 1,
};
