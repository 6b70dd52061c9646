# Words of the application around the components.

# === Everywhere ===

app-skip = Zum Inhalt springen
app-menu = Menü
app-nav-start = Spielen
app-nav-open = Freie Plätze
app-nav-matches = Meine Partien
app-nav-history = Verlauf
app-nav-standings = Rangliste
app-nav-operators = Betrieb
app-nav-docs = Doku
app-loading = Lädt …
app-offline = Der Dienst ist nicht zu erreichen. Vielleicht startet er gerade neu; deine Partien sind sicher.
app-retry = Noch einmal versuchen
app-more = Mehr zeigen
app-close = Fertig
app-cancel = Abbrechen
app-copied = Kopiert.
app-copy-failed = Das Kopieren ging nicht. Markiere den Link und kopiere ihn von Hand.
app-not-found = Diese Seite gibt es nicht
app-to-start = Ein Spiel auswählen
app-rules = Regeln
app-seat-open = Frei
app-bot = Bot ({ $level })
app-bot-named = { $name } (Bot, { $level })

# === Settings ===

app-settings = Einstellungen
app-player = Spieler
app-player-help = Unter diesem Namen spielst du, bis du den Tab schließt.
app-language = Sprache
app-scheme = Aussehen
app-scheme-system = Wie das System
app-scheme-light = Hell
app-scheme-dark = Dunkel
app-sign-out = Abmelden

# === Signing in ===

app-sign-in = Anmelden
app-signing-in = Du wirst angemeldet …
app-sign-in-how = Lass dir auf dem Rechner, auf dem der Dienst läuft, einen Link geben, und öffne ihn in diesem Browser:
app-sign-in-guests = Wurdest du zu einer Partie eingeladen? Dann öffne den Link, den du bekommen hast.
app-sign-in-by-hand = Mit einem Token anmelden
app-sign-in-token = Token oder API-Schlüssel
app-sign-in-token-help = Es wird behalten, bis du den Tab schließt, und nur an diesen Dienst gesendet.
app-sign-in-used = Dieser Link wurde schon benutzt oder ist zu alt. Lass dir einen neuen geben.
app-session-ended = Deine Sitzung ist abgelaufen. Melde dich neu an, um weiterzumachen.
app-link-ended = Der Link, über den du gekommen bist, gilt nicht mehr. Lass dir einen neuen geben.

# === Start ===

app-start-title = Was wollen wir spielen?
app-start-lead = Wähle ein Spiel, und setz dich gleich mit Bots an den Tisch.
app-your-turn = Du bist am Zug
app-players = Spieler
app-bots = Bots
app-play = Jetzt spielen
app-play-last = Noch einmal { $game }
app-play-first = Jetzt { $game } spielen
app-play-how = { $seats } Spieler, Bots: { $level }
app-how = So wird gespielt
app-how-game = So wird { $game } gespielt
app-starting = Der Tisch wird gedeckt …
app-with-people = Mit anderen

# === Matches ===

app-state-open = Wartet auf Spieler
app-state-running = Läuft
app-state-ended = Zu Ende
app-state-paused = Unterbrochen
app-state-abandoned = Ohne Ergebnis zu Ende
app-state-unreadable = Nicht lesbar
app-state-your-turn = Du bist dran
app-state-at-turn = Am Zug
app-state-won = Gewonnen
app-state-shared = Gemeinsam gewonnen
app-state-lost = Verloren
app-won = Gewinner

# === This browser ===

app-tell-again = Wieder anbieten, Züge zu melden
app-quiet = Ruhezeit
app-quiet-start = von
app-quiet-end = bis
app-quiet-help = In dieser Zeit meldet dieser Browser keine Züge, an ihrem Ende alle, die warten.
app-quiet-refused = Diese Ruhezeit ist nicht möglich. Sie dauert höchstens 20 Stunden.
app-device-play = Auf diesem Gerät spielen, ohne den Dienst
app-device-title = Auf diesem Gerät spielen
app-device-lead = Die Regeln und die Bots sind in diesem Browser. Es wird kein Netz gebraucht und nichts gesendet.
