"""Make a puzzle from a recipe and a seed, and prove that it has exactly one solution.

A recipe says what a puzzle must be like. A path cover is a board divided into paths. The ends of the paths
become the numbers of a puzzle.

- ``generate``  makes a puzzle that meets a recipe, and keeps a log of all boards that were tried for it. It
  also gives boards the style of human authors.
- ``cover``     makes covers in two ways. Either it makes a cover that meets exact requirements, and changes
  it until the solution is unique. Or it grows random paths, by the method of the article on which linkpress
  is based.
- ``steer``     changes a board in small steps until it needs a required solving technique.
"""
