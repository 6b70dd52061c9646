game = Mountebank
    .description = Sammle Karten einer Farbe, dreh mit ihnen krumme Dinger und greif zu, wo andere etwas liegen lassen.
    .duration = 15 bis 20 Minuten
    .difficulty = leicht

# --- Orte ---

place-supply = Vorrat
    .from = aus dem Vorrat
    .to = in den Vorrat
    .at = im Vorrat
place-deck = Stapel
    .from = vom Stapel
    .to = in den Stapel
    .at = im Stapel
place-draft = Auslage
    .from = aus der Auslage
    .to = in die Auslage
    .at = in der Auslage
place-discard = Ablagestapel
    .from = vom Ablagestapel
    .to = auf den Ablagestapel
    .at = auf dem Ablagestapel
place-hand = Hand
    .from = aus { $owner-is ->
        [you] deiner Hand
        [self] der Hand
       *[other] der Hand { $owner-whose }
    }
    .to = auf { $owner-is ->
        [you] deine Hand
        [self] die Hand
       *[other] die Hand { $owner-whose }
    }
    .at = auf { $owner-is ->
        [you] deiner Hand
        [self] der Hand
       *[other] der Hand { $owner-whose }
    }
place-crown = Krone der { $value }
    .from = von der Krone der { $value }
    .to = auf die Krone der { $value }
    .at = auf der Krone der { $value }
place-winnings = Beute
    .from = aus { $owner-is ->
        [you] deiner Beute
        [self] der Beute
       *[other] der Beute { $owner-whose }
    }
    .to = in { $owner-is ->
        [you] deine Beute
        [self] die Beute
       *[other] die Beute { $owner-whose }
    }
    .at = in { $owner-is ->
        [you] deiner Beute
        [self] der Beute
       *[other] der Beute { $owner-whose }
    }

# --- Münzen, Rückseiten, Markierungen ---

coin-token = Marken
    .help = Punkte.
    .amount = { $amount ->
        [one] { $amount } Marke
       *[other] { $amount } Marken
    }
    .some = einige Marken
back-card = Karte
    .counted = { $count ->
        [one] eine Karte
       *[other] { $count } Karten
    }
mark-reshuffled = Zweiter Stapel
    .help = Die abgelegten Karten sind zu einem zweiten Stapel gemischt worden.
mark-turns-left = Züge bis zum Ende
    .help = Züge bis zum Ende, den laufenden mitgezählt, sobald der Stapel aufgebraucht ist.

# --- Entscheidungen, Aktionen, Ansagen ---

decision-turn = einen Plan schmieden oder ein Ding drehen
decision-second-card = die zweite Karte des Plans nehmen
verb-draw = Ziehen
    .help = Nimmt die oberste Karte des Stapels auf die Hand: ein halber Plan.
    .label = Eine Karte vom Stapel ziehen
verb-take = Nehmen
    .help = Nimmt eine Karte der Auslage auf die Hand: ein halber Plan.
    .label = { $card } aus der Auslage nehmen
    .short = { $card } nehmen
verb-con = Ding
    .help = Legt Karten ab, die eine Farbe teilen, und bringt Punkte.
    .label = Ein Ding ({ $primary }) drehen: { $cards }
    .short = { $primary }: { $cards }
verb-pass = Passen
    .help = Tut nichts. Nur erlaubt, wenn nichts anderes möglich ist.
    .does = { $seat-is ->
        [you] passt
       *[other] passt
    }
announcement-con =
    .does = { $seat-is ->
        [you] drehst ein Ding ({ $value }) im Wert von { $amount }
       *[other] dreht ein Ding ({ $value }) im Wert von { $amount }
    }
# Der Punktestand sagt es.
announcement-tokens-won = {""}
    .title = Marken
announcement-new-deck = die abgelegten Karten werden zum neuen Stapel
announcement-last-turns = der Stapel ist aufgebraucht: jeder hat noch einen Zug
moved-discard-deck = {""}

# --- Karten ---

facet-rank = Rang
facet-suits = Farben
value-moons = Monde
value-suns = Sonnen
value-waves = Wellen
value-leaves = Blätter
value-wyrms = Lindwürmer
value-knots = Knoten
value-ace = Ass
value-pawn = Bauer
value-court = Hof
value-crown = Krone
piece-ace-of-moons = Ass der Monde
piece-ace-of-suns = Ass der Sonnen
piece-ace-of-waves = Ass der Wellen
piece-ace-of-leaves = Ass der Blätter
piece-ace-of-wyrms = Ass der Lindwürmer
piece-ace-of-knots = Ass der Knoten
piece-author = Autorin
piece-desert = Wüste
piece-origin = Ursprung
piece-journey = Reise
piece-painter = Maler
piece-savage = Wilder
piece-mountain = Berg
piece-sailor = Seemann
piece-battle = Schlacht
piece-forest = Wald
piece-discovery = Entdeckung
piece-soldier = Soldat
piece-lunatic = Mondsüchtiger
piece-penitent = Büßer
piece-market = Markt
piece-chance-meeting = Zufallsbegegnung
piece-castle = Burg
piece-cave = Höhle
piece-diplomat = Diplomat
piece-mill = Mühle
piece-betrayal = Verrat
piece-pact = Pakt
piece-darkness = Finsternis
piece-merchant = Kaufmann
piece-harvest = Ernte
piece-watchman = Wächter
piece-light-keeper = Leuchtturmwärter
piece-borderland = Grenzland
piece-consul = Konsul
piece-rite = Ritus
piece-island = Insel
piece-window = Fenster
piece-huntress = Jägerin
piece-bard = Bardin
piece-sea = Meer
piece-end = Ende
piece-calamity = Unheil
piece-windfall = Glücksfall

# --- Optionen ---

option-first-seat = Wer beginnt
    .description = Der Spieler, der beginnt. Am Tisch ist es, wer zuletzt geprahlt hat.
    .is-random = Der Zufall entscheidet

# --- Ablehnungen ---

refusal-scheming = erst muss der begonnene Plan zu Ende
refusal-hand-full = eine Hand hat höchstens { $cards-max } Karten
refusal-deck-empty = der Stapel ist leer
refusal-not-in-draft = { $card } liegt nicht in der Auslage
refusal-not-in-hand = nicht auf deiner Hand: { $cards }
refusal-no-common-suit = jede Karte eines Dings außer Assen muss seine Farbe zeigen, { $primary }, und mindestens eine muss sie zeigen
refusal-must-play = passen darf nur, wer nichts anderes tun kann

# --- So wird gespielt ---

primer-1 = Das Ziel
    .text =
        Hab die meisten Marken, wenn die Karten aufgebraucht sind. Du gewinnst sie mit Dingern, die du drehst: Du legst Karten ab, die
        eine Farbe gemeinsam haben. Und du nimmst die Marken, die auf den Kronen liegen. Dort holt sie, wer ein Ding in dieser Farbe
        dreht.
primer-2 = Dein Zug
    .text =
        In deinem Zug tust du eines von beidem: Du schmiedest einen Plan, oder du drehst ein Ding. Danach ist der nächste Spieler am
        Zug.
primer-3 = Einen Plan schmieden
    .text =
        Ein Plan bringt zwei Karten auf deine Hand, eine nach der anderen. Jede ist entweder die oberste Karte des Stapels, ungesehen,
        oder eine der Karten, die offen in der Auslage liegen. Eine Karte, die dort genommen wird, wird sofort vom Stapel ersetzt. Deine
        zweite Karte darf also die neue sein.

        Du hast höchstens sieben Karten auf der Hand. Bei sechs Karten bringt ein Plan nur eine. Bei sieben kannst du keinen Plan
        schmieden: Dreh ein Ding.
primer-4 = Ein Ding drehen
    .text =
        Leg beliebig viele Karten deiner Hand ab, die alle eine Farbe zeigen, und nenne sie: Sie ist die Hauptfarbe. Asse dürfen bei
        jedem Ding dabei sein, auch wenn sie seine Farbe nicht zeigen. Auch eine einzelne Karte ist ein Ding.

        - Zähl die Karten, die die Hauptfarbe zeigen. Zähl die Karten, die die häufigste andere Farbe zeigen. Nimm beides miteinander
          mal: So viele Marken bekommst du.
        - Dann nimmst du alle Marken von der Krone der Hauptfarbe.
        - Zuletzt die Farben, die genau eine Karte deines Dings zeigt: Die Krone jeder dieser Farben bekommt so viele Marken, wie Karten
          jene häufigste andere Farbe zeigen. Das ist ein Geschenk an die Spieler nach dir. Pass also auf, was du übrig lässt.

        Ein Beispiel: „Schlacht“ und „Verrat“ (beide Lindwürmer und Knoten), „Wüste“ (Sonnen und Lindwürmer) und das Ass der Knoten, mit
        Lindwürmern als Hauptfarbe. Drei Karten zeigen Lindwürmer, drei zeigen Knoten: Du bekommst 9 Marken und das, was auf der Krone
        der Lindwürmer liegt. Nur „Wüste“ zeigt Sonnen, also kommen 3 Marken auf die Krone der Sonnen.
primer-5 = Das Ende
    .text =
        Zu zweit beginnt das Ende, wenn der Stapel aufgebraucht ist. Zu dritt und zu viert werden die abgelegten Karten, wenn es welche
        gibt, einmal zum neuen Stapel, und das Ende beginnt, wenn auch dieser aufgebraucht ist.

        Der laufende Zug wird beendet, und dann hat jeder noch einen Zug; wer die letzte Karte des Stapels nahm, ist zuletzt dran. Die
        meisten Marken gewinnen. Karten auf der Hand und Marken auf Kronen zählen nicht, und bei Gleichstand teilt ihr den Sieg.
