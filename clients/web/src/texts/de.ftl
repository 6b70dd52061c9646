# Eigene Worte. Alles über ein Spiel kommt vom Dienst, in seiner Sprache.

# === Der Tisch ===

table-round = Runde { $number }
table-close = Schließen

# === Wie gespielt wird ===

primer-title = So wird { $game } gespielt
primer-now = Danach wirst du gerade gefragt
primer-exact = Die genauen Regeln ({ $sections }), auf Englisch
primer-rules = Alle Regeln, nummeriert
primer-rules-help = Was der Dienst anwendet, mit seinen Festlegungen, wo die Anleitung schweigt. Im Zweifel gelten sie. Auf Englisch.
primer-pieces = Alle Teile
game-players = { $min } Spieler
game-players-from-to = { $min } bis { $max } Spieler

# === Stärken der Bots, die schwächste zuerst ===

level-random = leicht
level-heuristic = mittel
level-search = stark

# === Bedenkzeiten, die einen Namen haben, und kurz für Listen ===

preset-blitz = Blitz: 2 Minuten, und 5 Sekunden je Entscheidung
preset-live = Live: 10 Minuten, und 10 Sekunden je Entscheidung
preset-daily = Täglich: ein Tag je Entscheidung
short-preset-blitz = Blitz
short-preset-live = Live
short-preset-daily = Täglich
