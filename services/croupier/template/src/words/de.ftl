game = New game
    .description = Zieh Karten und behalte sie, bevor ein Wert doppelt kommt.
    .duration = 5 bis 10 Minuten
    .difficulty = leicht

# --- Orte ---

place-deck = Stapel
    .from = vom Stapel
    .to = in den Stapel
    .at = im Stapel
place-discard = Ablagestapel
    .from = vom Ablagestapel
    .to = auf den Ablagestapel
    .at = auf dem Ablagestapel
place-row = Reihe
    .from = aus { $owner-is ->
        [you] deiner Reihe
        [self] der Reihe
       *[other] der Reihe { $owner-whose }
    }
    .to = in { $owner-is ->
        [you] deine Reihe
        [self] die Reihe
       *[other] die Reihe { $owner-whose }
    }
    .at = in { $owner-is ->
        [you] deiner Reihe
        [self] der Reihe
       *[other] der Reihe { $owner-whose }
    }
place-kept = Behaltene Karten
    .from = von { $owner-is ->
        [you] deinen Karten
        [self] den Karten
       *[other] den Karten { $owner-whose }
    }
    .to = zu { $owner-is ->
        [you] deinen Karten
        [self] den Karten
       *[other] den Karten { $owner-whose }
    }
    .at = bei { $owner-is ->
        [you] deinen Karten
        [self] den Karten
       *[other] den Karten { $owner-whose }
    }

# --- Karten ---

back-card = Karte
    .counted = { $count ->
        [one] eine Karte
       *[other] { $count } Karten
    }
facet-value = Wert
piece-one = Eins
piece-two = Zwei
piece-three = Drei
piece-four = Vier
piece-five = Fünf
piece-six = Sechs

# --- Entscheidungen, Aktionen, Ansagen ---

decision-turn = ziehen, ablegen oder behalten
verb-draw = Ziehen
    .help = Legt die nächste Karte des Stapels in deine Reihe. Ein Wert, der schon da ist, kostet die Reihe.
    .label = Eine Karte ziehen
verb-drop = Ablegen
    .help = Legt eine Karte deiner Reihe ab.
    .label = { $card } ablegen
verb-keep = Behalten
    .help = Behält deine Reihe und beendet deinen Zug.
    .label = Die Reihe behalten
    .does = { $seat-is ->
        [you] behältst die Reihe
       *[other] behält die Reihe
    }
# Die Aktion sagt es; die letzte Karte beendet die Partie ohne sie.
moved-row-kept = { $verb ->
    [keep] {""}
   *[other] die Reihe wird behalten
}
announcement-bust = ein Wert ist doppelt
announcement-points-kept = {""}
    .title = Punkte

# --- Ablehnungen ---

refusal-not-in-row = { $card } liegt nicht in deiner Reihe
refusal-last-card = eine Reihe behält mindestens eine Karte

# --- So wird gespielt ---

primer-1 = Das Ziel
    .text =
        Hab die meisten Punkte, wenn der Stapel leer ist. Jede Karte, die du behalten hast, zählt ihren Wert.
primer-2 = Dein Zug
    .text =
        Dein Zug beginnt mit einer Karte in deiner Reihe. Dann tust du so oft, wie du willst:

        - Ziehen: Die nächste Karte des Stapels kommt in deine Reihe.
        - Ablegen: Leg eine Karte deiner Reihe ab, damit ihr Wert wieder kommen darf. Eine Karte bleibt.
        - Behalten: Die ganze Reihe ist sicher, und der nächste Spieler ist am Zug.
primer-3 = Ein Wert kommt doppelt
    .text =
        Zieh einen Wert, den deine Reihe schon hat, und du verlierst die ganze Reihe. Dein Zug ist vorbei. Was du in früheren Zügen
        behalten hast, bleibt dir.
primer-4 = Das Ende
    .text =
        Wer die letzte Karte zieht, behält den Rest der Reihe. Dann zählen alle, und bei Gleichstand teilt ihr den Sieg.
