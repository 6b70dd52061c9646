# Die Worte des Tisches, der Wiedergabe und der Lobby.

# === Der Tisch ===

table-loading = Der Tisch wird gedeckt …
table-reconnecting = Verbindung unterbrochen. Neuer Versuch …
table-seat = Platz { $seat }
table-you = Du
table-points = { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
  }
table-waiting-for-players = Warten auf Mitspieler
table-open-seat = frei
table-turn = Am Zug
table-deciding = Entscheidet
table-resigned = Aufgegeben
table-paused = Die Partie ist unterbrochen.
table-ending = Das Ende der Partie
table-you-won = { $by ->
    [0] Du hast gewonnen.
    [one] Du hast mit { $by } Punkt Vorsprung gewonnen.
   *[other] Du hast mit { $by } Punkten Vorsprung gewonnen.
  }
table-you-lost = { $by ->
    [0] Du hast verloren. Gewonnen: { $players }.
    [one] Du hast verloren, { $by } Punkt hinter { $players }.
   *[other] Du hast verloren, { $by } Punkte hinter { $players }.
  }
table-shared = Du teilst dir den Sieg.
table-won = { $players }: gewonnen.
table-no-result = Die Partie endete ohne Ergebnis.
table-watching = Du siehst zu.
table-nothing-to-do = Gerade ist nichts für dich zu tun.
table-opponents = Andere Plätze
table-open-seat-of = Zeigen, was { $player } hat
table-sounds = Töne
table-common = Auf dem Tisch
table-your-place = Deine Auslage
table-cards = { $count ->
    [one] { $count } Teil
   *[other] { $count } Teile
  }
table-hidden-number = Anzahl verdeckt
table-show-all = Alle Teile zeigen
table-actions = Was du tun kannst
table-choose-more = Wähle mehr von dem, was leuchtet, oder was geschieht:
table-choose-glowing = Wähle, was auf dem Tisch leuchtet.
table-idle = „{ $title }“ ist jetzt nicht wählbar. Was wählbar ist, leuchtet.
table-idle-because = „{ $title }“ ist jetzt nicht wählbar. { $reasons }
table-idle-not-asked = Jetzt ist nichts zu wählen: Du wirst nichts gefragt.
table-why = Warum?
table-hint = Tipp
table-hint-title = Ein Bot, der vorausdenkt, würde:
table-hint-estimate = er rechnet mit { $percent } von 100 Siegen
table-hint-wait = abwarten
table-hint-none = Die Bots haben zu diesem Spiel keinen Rat.
table-clear = Auswahl aufheben
table-form-open = { $verb } …
table-cancel = Abbrechen
table-anyone = alle
table-none = keine
table-menu = Partie
table-take-back = Zurücknehmen
table-resign = Aufgeben
table-resign-question = Diese Partie aufgeben? Das Haus spielt für dich weiter, und du kannst nicht gewinnen.
table-resign-yes = Ja, aufgeben
table-vote-pause = Für eine Pause stimmen
table-vote-resume = Für die Fortsetzung stimmen
table-vote-end = Für ein Ende ohne Ergebnis stimmen
table-votes = { $count } von { $needed } Stimmen
table-withdraw-vote = Stimme zurückziehen
table-standing = Das Haus antwortet für dich
table-standing-help = Immer wenn du dies gefragt wirst, antwortet das Haus für dich, außer es betrifft dich.
table-log = Was geschah
table-set-up = Der Aufbau
table-talk = Gespräch
table-talk-to = An
table-talk-text = Nachricht
table-send = Senden
table-sending = Wird gesendet …
table-sending-later = Keine Verbindung. Es wird gesendet, sobald sie wieder steht.
table-offer = { $by } bietet { $to } an
table-gives = gibt
table-takes = bekommt
table-nothing = nichts
table-time-left = Restzeit
table-out-of-time = Zeit abgelaufen

# === Wie gespielt wird ===

table-how = So wird gespielt

# === Tasten ===

table-keys = Tasten
keys-action = Die Aktion mit dieser Nummer wählen
keys-card = Zum nächsten leuchtenden Teil
keys-choose = Wählen, was den Fokus hat
keys-arrows = Durch die Teile eines Platzes gehen
keys-clear = Neu wählen
keys-primer = So wird gespielt
keys-hint = Ein Tipp, gegen Bots
keys-help = Diese Liste
keys-on = Tasten mit einem einzelnen Zeichen sind an

# === Die Wiedergabe ===

replay-position = Position
replay-first = Zum Anfang
replay-back = Einen Schritt zurück
replay-play = Abspielen
replay-pause = Anhalten
replay-forward = Einen Schritt weiter
replay-last = Zum Ende
replay-speed = Tempo
replay-viewer = Aus Sicht von
replay-spectator = Zuschauern
replay-house = Alles aufgedeckt

# === Der Rückblick ===

review-start = Meine Entscheidungen ansehen
review-title = Deine Aussichten, wie ein Bot sie bei jeder deiner Entscheidungen sah
review-win = Sieg
review-loss = Niederlage
review-progress = { $done } von { $all } Entscheidungen
review-none = Die Bots können diese Partie nicht beurteilen.
review-moments = Am meisten kostete:
review-no-moments = Keine Entscheidung kostete viel.
review-moment = Position { $number }: { $taken }. Ein Bot rechnet mit { $points } von 100 Siegen mehr durch: { $best }
review-here = Hier würde ein Bot:
review-taken = Das hast du getan

# === The lobby ===

lobby-open = Freie Plätze
lobby-none = Zurzeit gibt es keine freien Plätze.
lobby-none-help = Eröffne eine Partie, dann finden andere sie hier.
lobby-join = Platz nehmen
lobby-resume = Zur Partie
lobby-new = Neue Partie
lobby-create = Partie anlegen
lobby-creating = Wird angelegt …
lobby-cancel = Abbrechen
lobby-retry = Noch einmal
lobby-offline = Der Dienst ist nicht zu erreichen.
lobby-loading = Suche freie Plätze …
lobby-game = Spiel
lobby-all-games = Alle Spiele
lobby-seats = Plätze
lobby-seats-taken = { $taken } von { $seats } Plätzen besetzt
lobby-seat = Platz { $seat }
lobby-seat-you = Du
lobby-seat-open = Frei
lobby-bot = Bot, { $level }
lobby-time = Bedenkzeit
lobby-time-none = Ohne Uhr
lobby-time-other = Mit Uhren
lobby-who = Wer mitspielen kann
lobby-who-lobby = Alle, die diese Liste sehen
lobby-who-link = Nur wer einen Link bekommt
lobby-options = Optionen des Spiels
lobby-seek = Mitspieler suchen
lobby-seek-help = Du bekommst einen Platz, sobald genug andere dieselbe Partie suchen.
lobby-seeking = Suche Mitspieler …
lobby-seek-stop = Nicht mehr suchen

# === Felder von Formularen ===

field-give = Du gibst
field-take = Du bekommst
field-to = An
field-by = Von
field-seat = Spieler
field-seats = Spieler
field-amount = Wie viele
field-card = Karte
field-cards = Karten
field-units = Einheiten
