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
app-copy = Kopieren
app-copied = Kopiert.
app-copy-failed = Das Kopieren ging nicht. Markiere den Link und kopiere ihn von Hand.
app-watch-link = Link zum Zuschauen
app-copy-link = Link kopieren
app-watch-link-help = Wer ihn hat, sieht diese Partie wie alle, die zuschauen, und seine Vorschau zeigt den Tisch.
app-any = Alle
app-filter = Suchen
app-filters-clear = Filter leeren
app-not-found = Diese Seite gibt es nicht
app-to-start = Ein Spiel auswählen
app-to-match = Zur Partie
app-rules = Regeln
app-you = Du
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
app-seats = { $seats } Spieler
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

app-open-title = Mit anderen spielen
app-open-lead = Setz dich als { $player } zu anderen, oder eröffne eine eigene Partie.
app-matches-lead = Du spielst als { $player }. Partien, die auf dich warten, stehen vorn.
app-matches-empty = { $player } hat noch keine Partien.
app-history-empty = Solche Partien gibt es nicht.
app-game = Spiel
app-all-games = Alle Spiele
app-state = Stand
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
app-opponent = Gegner
app-outcome = Ausgang
app-outcome-of = Ein Ausgang gilt für jemanden: Nenne auch einen Spieler.
app-from = Angelegt ab
app-until = Angelegt bis
app-length-min = Mindestens so viele Einträge
app-length-max = Höchstens so viele Einträge

# === A match ===

app-match = Partie
app-match-id = Kennung
app-about-match = Über diese Partie
app-created = Angelegt
app-entries = Einträge
app-see-entries = Einträge ansehen
app-chairs = Am Tisch
app-chair = Stuhl { $number }
app-chair-open = Frei
app-chair-invited = Wartet auf einen Gast
app-chair-taken = Besetzt
app-chair-here = Da
app-chair-away = Nicht da
app-chair-bot = Bot
app-chair-yours = Für dich
app-chairs-taken = { $taken } von { $chairs } Stühlen sind besetzt.
app-chair-to-bot = Einem Bot geben
app-chair-to-bot-of = Einem Bot geben: Stuhl { $number }
app-chair-free = Stuhl freimachen
app-chair-free-of = Stuhl freimachen: { $player }
app-start-with-bots = { $count ->
    [one] Jetzt beginnen, ein Bot nimmt den freien Stuhl
   *[other] Jetzt beginnen, Bots nehmen die { $count } freien Stühle
  }
app-waiting-lobby = Die Partie beginnt, sobald jeder Stuhl besetzt ist. Alle finden sie unter den freien Plätzen.
app-waiting-link = Die Partie beginnt, sobald jeder Stuhl besetzt ist.
app-sit = Hier sitzen
app-invite = Mit einem Link einladen
app-invite-how = Wer den Link öffnet, sieht diese Partie, nennt einen Namen und nimmt einen freien Stuhl. Schick ihn denen, mit denen du spielen willst.
app-invite-link = Link der Einladung
app-invite-code = Der Link als Code zum Scannen
app-invite-scan = Oder lass ein Telefon ihn scannen.
app-invite-until = Der Link gilt, bis alle Stühle besetzt sind, längstens bis
app-invite-anew = Neuer Link
app-invite-renewed = Es gibt einen neuen Link. Der alte lässt niemanden mehr ein.
app-share = Teilen
app-invited = Du bist eingeladen zu einer Partie
app-invited-by = { $player } lädt dich ein zu einer Partie
app-invited-full = Alle Stühle sind besetzt
app-invited-full-help = Die Partie hat begonnen oder beginnt gerade. Bitte um eine andere Einladung.
app-your-name = Dein Name
app-your-name-help = Die anderen sehen ihn. Du brauchst kein Konto; dieser Browser merkt sich den Namen.
app-take-seat = Platz nehmen
app-clock = Uhr
app-clock-other = Mit Uhren
app-presence-here = { $player } ist da
app-presence-away = { $player } ist nicht da
app-spectators = { $count ->
    [one] Eine Person schaut zu
   *[other] { $count } schauen zu
  }
app-rematch-offer = Noch eine Partie anbieten
app-rematch-offered = { $players } bietet noch eine Partie an.
app-rematch-waiting = Warten, bis { $players } noch einer Partie zustimmt.
app-rematch-agreed = Alle sind einverstanden. Die nächste Partie wird ausgeteilt.
app-rematch-declined = Keine weitere Partie für { $players }.
app-rematch-accept = Annehmen
app-rematch-decline = Ablehnen
app-rematch-withdraw = Angebot zurückziehen
app-make-link = Link erzeugen
app-link-of = Link für { $player }
app-seat-links = Links zu Plätzen
app-seat-links-help = Wer einen Link öffnet, spielt einen Tag lang auf diesem Platz. Schick ihn nur diesem Spieler.
app-leave = Verlassen
app-delete-match = Partie löschen
app-delete-match-sure = Diese Partie löschen? Sie hat noch nicht begonnen, und nichts von ihr bleibt.
app-next-match = Zur nächsten Partie
app-play-again = Noch einmal spielen
app-record = Aufzeichnung sichern
app-complaint = Der Dienst widerspricht sich bei dieser Partie.
app-complaint-help = Er hat Aussagen unterschrieben, die nicht zugleich wahr sein können. Sie beweisen das jedem: Speichere sie und zeige sie anderen.
app-complaint-save = Die unterschriebenen Aussagen speichern
app-verify = War das fair?
app-verify-how = Der Dienst hat sich vor der ersten Karte auf seinen Startwert festgelegt und verrät ihn nach der letzten. Mit der Aufzeichnung rechnet dieses Gerät selbst nach, was geschah, glaubt dem Dienst nichts aufs Wort und sagt, was es nicht prüfen konnte.
app-verify-here = Diese Partie auf diesem Gerät prüfen
app-verifying = Wird geprüft …
app-verify-details = Startwert und Festlegung
app-verify-more = Wie man eine Partie prüft
app-verify-file = Eine gespeicherte Partie prüfen
app-seed = Startwert
app-seed-commitment = Sein BLAKE3-Hash, vorher veröffentlicht
app-replay = Wiedergabe
app-review = Rückblick
app-replay-of = Wiedergabe: { $game }
app-replay-not-started = Die Partie hat noch nicht begonnen. Es gibt noch nichts zu sehen.

# === Standings ===

app-standings-lead = Alle, die eine solche Partie beendet haben, nach Wertung. Bots haben keine. Ein Fragezeichen sagt, dass es zu wenige Ergebnisse gibt.
app-pool-seats = Plätze
app-pool-clocks = Uhren
app-clocks-untimed = Ohne Uhr
app-clocks-blitz = Blitz
app-clocks-live = Live
app-clocks-daily = Täglich
app-standings-empty = Noch niemand hat eine Partie dieses Spiels beendet.
app-plot-skill = Geschätzte Spielstärke, und wie sicher sie ist. Die Wertung ist das untere Ende jeder Linie.
app-rank = Rang
app-rating = Wertung
app-rating-rose = um { $by } gestiegen auf { $rating }
app-rating-fell = um { $by } gefallen auf { $rating }
app-rating-sense = Neue beginnen bei 0. Am meisten steigt sie durch Siege gegen Höherbewertete.
app-rating-provisional = vorläufig: sie schwankt noch, bis ein paar Partien mehr gespielt sind
app-rating-course = Letzte Partien
app-rating-line =
  { $matches ->
    [one] 1 Partie, von { $first } auf { $last }
   *[other] { $matches } Partien, von { $first } auf { $last }
  }
app-played = Gespielt
app-wins = Gewonnen
app-last-played = Zuletzt gespielt
app-opponents = Gegner
app-ahead = Davor
app-level = Gleichauf
app-behind = Dahinter
app-last-matches = Letzte Partien
app-all-matches = Alle Partien

# === Operators ===

app-tab-matches = Partien
app-tab-players = Spieler
app-tab-search = Suche
app-tab-projections = Projektionen
app-tab-subscriptions = Abonnements
app-tab-platform = Plattform
app-tab-acts = Eingriffe
app-tab-live = Jetzt
app-acts-lead = Was Betreiber und Plattform geändert haben, das Neueste zuerst. Nichts davon wird später geändert oder entfernt.
app-acts-empty = Solche Eingriffe gibt es nicht.
app-act-kind = Eingriff
app-act-actor = Durch
app-act-outcome = Ausgang
app-act-installation = Die Installation
app-act-done = Erledigt
app-act-unchanged = Nichts zu ändern
app-act-failed = Gescheitert
app-act-unknown = Im Gange oder unbekannt
app-actor-command-line = Ein Betreiber, an der Befehlszeile
app-actor-service = Der Dienst
app-actor-platform = Die Plattform
app-actor-operator = Ein Betreiber, mit einem Schlüssel
app-operator-key = Schlüssel eines Betreibers
app-operator-key-help = Für alle Plattformen. croupier operator key macht einen. Er wird mit dieser Seite vergessen.
app-operator-key-use = Schlüssel verwenden
app-operator-key-used = Der Schlüssel eines Betreibers wird verwendet.
app-operator-key-forget = Schlüssel vergessen
app-operator-key-refused = Dieser Schlüssel wird nicht angenommen.
app-players-lead = Was die Plattform von einem Spieler hat, unter ihrer eigenen Kennung.
app-players-show = Zeigen
app-players-results = Ergebnisse und Wertungen
app-players-entries = Einträge des Spielers, nach Spiel
app-players-sign-out = Tokens des Spielers beenden
app-players-sign-out-sure = Alle Tokens dieses Spielers beenden? Wer mit einem spielt, muss sich neu anmelden. Tokens einzelner Plätze bleiben gültig.
app-players-signed-out = Alle bisherigen Tokens des Spielers sind beendet.
app-players-erase = Spieler löschen
app-players-erase-sure = Diesen Spieler aus allen Partien löschen? Namen und Nachrichten sind dann für immer fort. Ergebnisse bleiben unter einem Pseudonym.
app-players-erased = Der Spieler wurde gelöscht.
app-players-unknown = Die Plattform kennt niemanden mit dieser Kennung. Tokens, falls es welche gab, sind beendet.
app-players-browsers = Browser, denen Züge gemeldet werden
app-players-no-browsers = Keinem Browser wird etwas gemeldet.
app-players-browser = Aus allen Partien, angemeldet
app-players-browser-of = Aus einer Partie, angemeldet
app-live-lead = Was der antwortende Prozess gerade tut, für alle Plattformen. Das braucht den Schlüssel eines Betreibers.
app-live-process = Prozess
app-live-stop = Anhalten
app-live-go-on = Weiter
app-live-calls = Aufrufe je Sekunde
app-live-refused = Abgelehnte Aufrufe je Sekunde
app-live-failed = Gescheiterte Aufrufe je Sekunde
app-live-entries = Aufgezeichnete Einträge je Sekunde
app-live-shed = Abgewiesene Aktionen je Sekunde
app-live-streams = Offene Ströme
app-live-matches = Partien im Speicher
app-live-database = Belegte Datenbankverbindungen
app-live-lag = Einträge, die Projektionen fehlen
app-live-agents = Warten auf Agenten
app-live-most = Höchstens { $most } in den letzten fünf Minuten
app-live-chart = { $title }: jetzt { $now }, von { $least } bis { $most } in den letzten fünf Minuten
app-live-age = seit { $seconds } s
app-order = Reihenfolge
app-order-newest = Neueste zuerst
app-order-deadline = Nächste Frist zuerst
app-tag = Tag
app-seating = Plätze
app-last-entry = Letzter Eintrag
app-actions = Aktionen
app-pause = Unterbrechen
app-pause-sure = Diese Partie unterbrechen? Ihre Spieler können nicht handeln, bis sie fortgesetzt wird.
app-resume = Fortsetzen
app-end = Beenden
app-end-sure = Diese Partie ohne Ergebnis beenden? Das lässt sich nicht zurücknehmen.
app-delete = Löschen
app-entries-of = Einträge: { $game }
app-entries-empty = Noch ist nichts geschehen.
app-entry-untold = Nichts, was dieser Betrachter wissen darf.
app-viewer = So wie gesehen von
app-viewer-spectator = Zuschauern
app-viewer-seat = Platz { $seat }: { $player }
app-viewer-house = Dem Haus, das alles sieht
app-table-then = Der Tisch danach
app-message = Nachricht
app-search-lead = Einträge aller Partien eines Spiels, die neueste Partie zuerst.
app-search-empty = Solche Einträge gibt es nicht.
app-verb = Aktion
app-piece = Stück
app-announcement = Ansage
app-round = Runde
app-value-min = Wert mindestens
app-value-max = Wert höchstens
app-projections-lead = Was der Dienst aus allen Partien ableitet, um übergreifende Fragen zu beantworten. Es folgt der Aufzeichnung von selbst.
app-projection-current = Auf dem neuesten Stand
app-projection-lag = { $entries ->
    [one] { $entries } Eintrag im Rückstand
   *[other] { $entries } Einträge im Rückstand
  }
app-behind-since = Seit
app-rebuilds = Neu aufgebaut
app-rebuilding = Wird neu aufgebaut
app-subscriptions-lead = Wer erfährt, was in allen Partien geschieht.
app-webhooks-more = So gehen Webhooks
app-subscriptions-empty = Es gibt noch keine Abonnements.
app-subscription = Abonnement
app-subscription-new = Neues Abonnement
app-subscription-create = Abonnement anlegen
app-subscription-delete-sure = Dieses Abonnement löschen? Seine Position geht verloren.
app-all-subscriptions = Alle Abonnements
app-name = Name
app-endpoint = Endpunkt
app-endpoint-help = Wohin der Dienst die Einträge sendet. Leer für einen eigenen Abnehmer.
app-only-new = Nur, was von jetzt an geschieht
app-consumed = Von der Plattform abgeholt
app-consumers = { $consumers ->
    [0] Kein Abnehmer
    [one] { $consumers } Abnehmer
   *[other] { $consumers } Abnehmer
  }
app-consumed-by = Abnehmer
app-nobody = Zurzeit niemand
app-selects = Wählt aus
app-selects-all = Alles
app-push-healthy = Zugestellt
app-push-failing = Schlägt fehl
app-push-disabled = Aufgegeben
app-failing-since = Schlägt fehl seit
app-last-error = Letzter Fehler
app-next-attempt = Nächster Versuch
app-disabled = Aufgegeben
app-secret-once = Das Geheimnis, mit dem die Nachrichten von { $name } signiert werden. Bewahre es jetzt auf: Es wird nicht noch einmal gezeigt.
app-secret-expires = Frühere Geheimnisse gelten bis
app-test = Test senden
app-redeliver = Wartendes jetzt senden
app-redeliver-sure = Alles jetzt senden, was wartet? Der Empfänger ist vielleicht ausgelastet.
app-rotate = Neues Geheimnis
app-rotate-sure = Mit einem neuen Geheimnis signieren? Das jetzige signiert noch einen Tag lang mit.
app-deliveries = Zustellungen
app-deliveries-empty = Noch wurde nichts gesendet.
app-time = Zeit
app-attempt = Versuch
app-answer = Antwort
app-no-answer = Keine
app-duration = Dauer
app-send-again = Noch einmal senden
app-send-again-sure = Diese Nachricht und alles danach noch einmal senden?
app-limits = Grenzen
app-limits-help = Was die Plattform nutzen darf. Betreiber ändern es mit croupier platform limits.
app-limit = Grenze
app-limit-used = Genutzt
app-limit-value = Höchstens
app-limit-by = Festgelegt von
app-limit-operator = Einem Betreiber
app-limit-default = Dem Dienst
app-keys = API-Schlüssel
app-keys-help = Betreiber legen sie mit croupier platform an und widerrufen sie.
app-key = Schlüssel
app-key-valid = Gültig
app-key-revoked = Widerrufen
app-tell = Melde dich, wenn ich am Zug bin
app-tell-no = Nein, danke
app-tell-stop = Nicht mehr melden
app-tell-done = Dieser Browser meldet, wenn du am Zug bist.
app-tell-failed = Dieser Browser kann keine Züge melden.
app-tell-again = Wieder anbieten, Züge zu melden
app-quiet = Ruhezeit
app-quiet-start = von
app-quiet-end = bis
app-quiet-help = In dieser Zeit meldet dieser Browser keine Züge, an ihrem Ende alle, die warten.
app-quiet-refused = Diese Ruhezeit ist nicht möglich. Sie dauert höchstens 20 Stunden.
app-device-play = Auf diesem Gerät spielen, ohne den Dienst
app-device-title = Auf diesem Gerät spielen
app-device-lead = Die Regeln und die Bots sind in diesem Browser. Es wird kein Netz gebraucht und nichts gesendet.
app-device-go-on = Weiterspielen
app-device-ended = Hier gespielt
app-device-guest = Gast
app-device-forget = Vergessen
app-device-forget-match = Die Partie { $game } vergessen
app-device-forget-sure = Diese Partie vergessen, die nicht zu Ende ist?
app-device-leave = Mit dem Dienst spielen
app-device-here = Auf diesem Gerät
app-device-kept = Dieser Browser behält die Partie. Du kannst weiterspielen, nachdem du die Seite geschlossen hast.
app-device-verify = Die Aufzeichnung
app-device-verify-how = Dieses Gerät hat gegeben und alles aufgezeichnet. Prüfe die Aufzeichnung hier oder sichere sie: Jedes Prüfprogramm nimmt die Datei.
app-give = Der Dienst
app-give-how = Gib diese Partie dem Dienst: Er spielt sie nach seinen eigenen Regeln nach und behält sie im Verlauf von { $player }. Sie zählt für keine Wertung.
app-give-how-guest = Gib diese Partie dem Dienst: Er spielt sie nach seinen eigenen Regeln nach und behält sie in deinem Verlauf. Sie zählt für keine Wertung.
app-give-now = Diese Partie dem Dienst geben
app-giving = Der Dienst spielt sie nach …
app-given = Der Dienst hat diese Partie.
app-given-look = Dort ansehen
app-give-sign-in = Wenn du angemeldet bist, kannst du diese Partie dem Dienst geben.
