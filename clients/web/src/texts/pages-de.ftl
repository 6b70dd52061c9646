# Die Worte der Seiten, mit denen kein Besuch beginnt.

# === Everywhere ===

app-copy = Kopieren
app-watch-link = Link zum Zuschauen
app-copy-link = Link kopieren
app-watch-link-help = Wer ihn hat, sieht diese Partie wie alle, die zuschauen, und seine Vorschau zeigt den Tisch.
app-any = Alle
app-filter = Suchen
app-filters-clear = Filter leeren
app-to-match = Zur Partie
app-you = Du

# === Start ===

app-seats = { $seats } Spieler

# === Matches ===

app-open-title = Mit anderen spielen
app-open-lead = Setz dich als { $player } zu anderen, oder eröffne eine eigene Partie.
app-matches-lead = Du spielst als { $player }. Partien, die auf dich warten, stehen vorn.
app-matches-empty = { $player } hat noch keine Partien.
app-history-empty = Solche Partien gibt es nicht.
app-game = Spiel
app-state = Stand
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

app-delete = Löschen
app-tell = Melde dich, wenn ich am Zug bin
app-tell-no = Nein, danke
app-tell-stop = Nicht mehr melden
app-tell-done = Dieser Browser meldet, wenn du am Zug bist.
app-tell-failed = Dieser Browser kann keine Züge melden.
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
