# Words of our own. Everything about a game comes from the service, in its language.

# === The table ===

table-round = Round { $number }
table-close = Close

# === How to play ===

primer-title = How to play { $game }
primer-now = You are asked about this now
primer-exact = The exact rules ({ $sections })
primer-rules = All rules, numbered
primer-rules-help = What the service applies, with its rulings where the rulebook is silent. If in doubt, these decide.
primer-pieces = All pieces
game-players = { $min } players
game-players-from-to = { $min } to { $max } players

# === Levels of bots, from the weakest: those that have a word are offered ===

level-random = easy
level-heuristic = medium
level-search = strong

# === Time controls with a name: those that have a text are offered, and a short one for lists ===

preset-blitz = Blitz: 2 minutes, and 5 seconds for each decision
preset-live = Live: 10 minutes, and 10 seconds for each decision
preset-daily = Daily: a day for each decision
short-preset-blitz = Blitz
short-preset-live = Live
short-preset-daily = Daily
