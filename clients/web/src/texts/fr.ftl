# Nos propres mots. Tout ce qui concerne un jeu vient du service, dans sa langue.

# === La table ===

table-round = Manche { $number }
table-close = Fermer

# === Comment jouer ===

primer-title = Comment jouer à { $game }
primer-now = C’est ce qu’on vous demande maintenant
primer-exact = Les règles exactes ({ $sections }), en anglais
primer-rules = Toutes les règles, numérotées
primer-rules-help = Ce que le service applique, avec ses décisions là où le livret se tait. En cas de doute, elles font foi. En anglais.
primer-pieces = Toutes les pièces
game-players = { $min } joueurs
game-players-from-to = { $min } à { $max } joueurs

# === Niveaux des bots, du plus faible au plus fort ===

level-random = facile
level-heuristic = moyen
level-search = fort

# === Cadences qui ont un nom, et en court pour les listes ===

preset-blitz = Blitz : 2 minutes, et 5 secondes par décision
preset-live = Direct : 10 minutes, et 10 secondes par décision
preset-daily = Par jour : un jour par décision
short-preset-blitz = Blitz
short-preset-live = Direct
short-preset-daily = Par jour
