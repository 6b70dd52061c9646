game = Grifters
    .description = Schick deine Leute los, allein für krumme Dinger oder im Team für Aufträge, und stiehl aus der Staatskasse und voneinander.
    .duration = etwa 30 Minuten
    .difficulty = mittel

# --- Orte ---

place-box = Schachtel
    .from = aus der Schachtel
    .to = in die Schachtel
    .at = in der Schachtel
place-coffers = Staatskasse
    .from = aus der Staatskasse
    .to = in die Staatskasse
    .at = in der Staatskasse
place-deck = Stapel
    .from = vom Stapel
    .to = in den Stapel
    .at = im Stapel
place-discard = Ablagestapel
    .from = vom Ablagestapel
    .to = auf den Ablagestapel
    .at = auf dem Ablagestapel
place-jobs = Aufträge in { $value }
    .from = aus den Aufträgen in { $value }
    .to = zu den Aufträgen in { $value }
    .at = in { $value }
place-stash = Beute
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
place-drawn-cards = Gezogene Karten
    .from = aus { $owner-is ->
        [you] deinen gezogenen Karten
        [self] den gezogenen Karten
       *[other] den gezogenen Karten { $owner-whose }
    }
    .to = zu { $owner-is ->
        [you] deinen gezogenen Karten
        [self] den gezogenen Karten
       *[other] den gezogenen Karten { $owner-whose }
    }
    .at = unter { $owner-is ->
        [you] deinen gezogenen Karten
        [self] den gezogenen Karten
       *[other] den gezogenen Karten { $owner-whose }
    }
place-first-night = Erste Nacht
    .from = aus { $owner-is ->
        [you] deiner ersten Nacht
        [self] der ersten Nacht
       *[other] der ersten Nacht { $owner-whose }
    }
    .to = in { $owner-is ->
        [you] deine erste Nacht
        [self] die erste Nacht
       *[other] die erste Nacht { $owner-whose }
    }
    .at = in { $owner-is ->
        [you] deiner ersten Nacht
        [self] der ersten Nacht
       *[other] der ersten Nacht { $owner-whose }
    }
place-second-night = Zweite Nacht
    .from = aus { $owner-is ->
        [you] deiner zweiten Nacht
        [self] der zweiten Nacht
       *[other] der zweiten Nacht { $owner-whose }
    }
    .to = in { $owner-is ->
        [you] deine zweite Nacht
        [self] die zweite Nacht
       *[other] die zweite Nacht { $owner-whose }
    }
    .at = in { $owner-is ->
        [you] deiner zweiten Nacht
        [self] der zweiten Nacht
       *[other] der zweiten Nacht { $owner-whose }
    }
place-third-night = Dritte Nacht
    .from = aus { $owner-is ->
        [you] deiner dritten Nacht
        [self] der dritten Nacht
       *[other] der dritten Nacht { $owner-whose }
    }
    .to = in { $owner-is ->
        [you] deine dritte Nacht
        [self] die dritte Nacht
       *[other] die dritte Nacht { $owner-whose }
    }
    .at = in { $owner-is ->
        [you] deiner dritten Nacht
        [self] der dritten Nacht
       *[other] der dritten Nacht { $owner-whose }
    }
place-refresh-area = Erholung
    .from = aus { $owner-is ->
        [you] deiner Erholung
        [self] der Erholung
       *[other] der Erholung { $owner-whose }
    }
    .to = in { $owner-is ->
        [you] deine Erholung
        [self] die Erholung
       *[other] die Erholung { $owner-whose }
    }
    .at = in { $owner-is ->
        [you] deiner Erholung
        [self] der Erholung
       *[other] der Erholung { $owner-whose }
    }
place-completed-jobs = Erledigte Aufträge
    .from = aus { $owner-is ->
        [you] deinen erledigten Aufträgen
        [self] den erledigten Aufträgen
       *[other] den erledigten Aufträgen { $owner-whose }
    }
    .to = zu { $owner-is ->
        [you] deinen erledigten Aufträgen
        [self] den erledigten Aufträgen
       *[other] den erledigten Aufträgen { $owner-whose }
    }
    .at = unter { $owner-is ->
        [you] deinen erledigten Aufträgen
        [self] den erledigten Aufträgen
       *[other] den erledigten Aufträgen { $owner-whose }
    }

# --- Münzen, Rückseiten, Markierungen ---

coin-isk-token = ISK
    .help = Geld, in Marken zu einer Million ISK.
    .amount = { $amount } Mio. ISK
    .some = einige ISK
back-specialist = Person
    .help = Die Rückseite von Bandenchefs und Spezialisten.
    .counted = { $count ->
        [one] eine Karte
       *[other] { $count } Karten
    }
back-job = Auftrag
    .help = Die Rückseite von Aufträgen.
    .counted = { $count ->
        [one] einen Auftrag
       *[other] { $count } Aufträge
    }
mark-deck-end = Ende durch den Stapel
    .help = Wann ein aufgebrauchter Stapel diese Partie beendet.
mark-second-job = Auftrag als zweites Ding
    .help = Nie gesetzt: Nach einer Femme fatale kann kein Auftrag erledigt werden.
mark-acting = Im Gang
    .help = Die Karte, deren Text, oder der Auftrag, dessen Lohn gerade ausgeführt wird.
mark-clause = Ausgeführte Teile
    .help = Wie viele Teile dieses Textes ausgeführt sind.
value-both-piles-empty = sobald Stapel und Ablagestapel leer sind
value-nothing-to-draw = sobald nichts mehr zu ziehen ist
value-deck-empty = sobald der Stapel leer ist

# --- Was sich bewegt ---

moved-hand-first-night = { $seat-is ->
    [you] spielst
   *[other] spielt
} { $what }{ $count ->
    [one] {""}
   *[other] {" "}als Team
}
moved-drawn = { $seat-is ->
    [you] ziehst
   *[other] zieht
} { $what }
moved-deck-drawn-cards = { $seat-is ->
    [you] ziehst
   *[other] zieht
} { $what }
moved-drawn-cards-hand = { $seat-is ->
    [you] behältst
   *[other] behält
} { $what }
moved-jobs-completed-jobs = { $seat-is ->
    [you] erledigst
   *[other] erledigt
} den Auftrag { $what }
# Nimmt eine Karte des eigenen Verstecks zurück.
moved-own = { $seat-is ->
    [you] nimmst
   *[other] nimmt
} { $what } { $from } zurück
# Was für eine andere Karte oder einen anderen Auftrag im Tausch gegeben wird.
moved-given = { $seat-is ->
    [you] gibst
   *[other] gibt
} { $taker-to } dafür { $what }
# Eine Karte wird mit einem Gegner getauscht; eine Nacht, die vorrückt, ist alles in ihr.
moved-first-night-second-night = { $count ->
    [one] { $seat-is ->
        [you] gibst
       *[other] gibt
    } { $taker-to } dafür { $what }
   *[other] die Zeit vergeht
}
moved-second-night-third-night = die Zeit vergeht
moved-third-night-refresh-area = die Zeit vergeht
moved-refresh-area-hand = { $seat-is ->
    [you] bekommst
   *[other] bekommt
} { $what } zurück
moved-deck-box = von jedem Spezialisten bleibt einer draußen
moved-jobs-box = die Aufträge { $at } bleiben draußen
# Die Ansage sagt es.
moved-discard-deck = {""}
# Nur der Sündenbock zeigt eine Karte, um wie sie zu handeln.
shown = { $seat-is ->
    [you] lässt den Sündenbock handeln wie
   *[other] lässt den Sündenbock handeln wie
} { $what }
paid-isk-token-box-coffers = { $what } füllen die Staatskasse
paid-taken-from = { $seat-is ->
    [you] stiehlst
   *[other] stiehlt
} { $giver-to } { $what }
paid-isk-token-stash-first-night = { $seat-is ->
    [you] legst
   *[other] legt
} { $what } in die erste Nacht
# Eine Marke rückt mit der Zeit vor, die erzählt wird.
paid-isk-token-first-night-second-night = {""}
paid-isk-token-second-night-third-night = {""}
paid-isk-token-third-night-coffers = { $what } aus der dritten Nacht kommt in die Staatskasse zurück

# --- Entscheidungen, Aktionen, Ansagen ---

decision-turn = ein Ding drehen oder einen Auftrag erledigen
decision-second-caper = über ein zweites Ding entscheiden
decision-rob = einen Gegner zum Bestehlen wählen
decision-name-skill = die Fähigkeit nennen, die der Maulwurf neben dem Schläger zeigt
decision-swap-jobs = über den Tausch eines erledigten Auftrags gegen einen eines Gegners entscheiden
decision-choose = { $value-key ->
    [keep] eine der gezogenen Karten behalten
    [team-up] eine Karte für das Team mit dem Schläger wählen
    [duplicate] eine Karte der Hand wählen, die der Sündenbock nachmacht
    [take-back] eine Karte im Versteck zum Zurücknehmen wählen
    [abduct] eine Karte eines Gegners zum Entführen wählen
   *[exchange] über den Tausch des Maulwurfs gegen eine Karte eines Gegners entscheiden
}
verb-perform-caper = Ein Ding drehen
    .help = Spielt eine Karte in die erste Nacht und führt ihren Text aus.
    .label = { $card } spielen
verb-complete-job = Einen Auftrag erledigen
    .help = Spielt ein Team mit genau den Fähigkeiten eines Auftrags, für dessen Lohn.
    .label = { $job } erledigen mit { $team }
    .short = { $job }: { $team }
verb-keep = Eine Karte behalten
    .help = Behält eine der gezogenen Karten und legt die anderen ab.
    .label = { $card } behalten
verb-team-up = Ein Team bilden
    .help = Spielt eine Karte neben den Schläger, als Zweierteam.
    .label = Ein Team mit { $card } bilden
verb-duplicate = Eine Karte nachmachen
    .help = Führt den Text einer anderen Karte der Hand aus, die dort bleibt.
    .label = { $card } nachmachen
verb-take-back = Eine Karte zurücknehmen
    .help = Nimmt eine Karte aus dem Versteck auf die Hand zurück.
    .label = { $card } zurücknehmen
verb-abduct = Eine Karte entführen
    .help = Nimmt eine Karte aus dem Versteck eines Gegners auf die Hand.
    .label = { $card } entführen
verb-exchange = Den Maulwurf tauschen
    .help = Tauscht den Maulwurf gegen eine Karte im Versteck eines Gegners und führt deren Text aus.
    .label = Den Maulwurf gegen { $card } tauschen
    .short = Gegen { $card } tauschen
verb-rob = Einen Gegner bestehlen
    .help = Stiehlt aus der Beute eines Gegners.
    .label = { $seat-seat-them } bestehlen
    .vain = { $seat-is ->
        [you] findest nichts zu stehlen
       *[other] findet nichts zu stehlen
    }
verb-name-skill = Eine Fähigkeit nennen
    .help = Nennt die Fähigkeit, die der Maulwurf neben dem Schläger zeigt.
    .label = { $skill } nennen
verb-swap-jobs = Aufträge tauschen
    .help = Tauscht einen erledigten Auftrag gegen einen eines Gegners.
    .label = { $mine } gegen { $theirs } tauschen
    .short = { $mine } → { $theirs }
verb-decline = Verzichten
    .help = Verzichtet auf das zweite Ding oder den Tausch.
    .does = { $seat-is ->
        [you] verzichtest
       *[other] verzichtet
    }
verb-pass = Passen
    .help = Legt 1 Mio. ISK in die erste Nacht, weil keine Karte gespielt werden kann.
    .label = Passen
# Die Karte sagt es.
announcement-caper = {""}
    .title = Ding
announcement-job = {""}
    .title = Auftrag
announcement-nothing-comes-of-it = es kommt nichts dabei heraus
announcement-time-advances = {""}
    .title = Zeit vergeht
announcement-targets =
    .does = { $seat-is ->
        [you] hast
       *[other] hat
    } es auf einzelne Karten mit { $value } abgesehen
announcement-new-deck = die abgelegten Karten werden zum neuen Stapel
announcement-cannot-play =
    .does = { $seat-is ->
        [you] hast
       *[other] hat
    } keine Karte zu spielen
announcement-coffers-empty = die Staatskasse ist leer, und die Partie ist zu Ende
announcement-jobs-completed = alle Aufträge sind erledigt, und die Partie ist zu Ende
announcement-deck-out = Stapel und Ablagestapel sind leer, und die Partie ist zu Ende
# Die Punkte nennen Beute und Boni als ihre Teile.
announcement-stash-holds = {""}
    .title = Beute
announcement-bonus = {""}
    .title = Bonus für Aufträge in { $value }
announcement-tie-on-jobs = { $seat-is ->
    [you] du hast
   *[other] { $seat } hat
} mit am meisten Geld, und { $amount ->
    [one] { $amount } erledigten Auftrag
   *[other] { $amount } erledigte Aufträge
}
announcement-tie-on-people = { $seat-is ->
    [you] du liegst
   *[other] { $seat } liegt
} noch immer gleichauf, mit { $amount ->
    [one] { $amount } Karte
   *[other] { $amount } Karten
}
# Ein Lohn mit einer Wahl: Der Auftrag ist erst danach erledigt.
marked-acting = { $now-key ->
    [hack-credit-system] der Auftrag ist „{ $now }“
    [clone-the-ledgers] der Auftrag ist „{ $now }“
    [hijack-the-payroll] der Auftrag ist „{ $now }“
    [empty-the-vault] der Auftrag ist „{ $now }“
   *[other] {""}
}
score = { $seat } { $points } Mio. ISK
score-of-parts = { $seat } { $points } Mio. ISK ({ $parts })
score-part = { $title } { $sign }{ $points } Mio. ISK
table-seat = { $seat-is ->
    [you] Du
   *[other] { $seat }
}, Platz { $number }{ $scored ->
    [yes] , { $points } Mio. ISK
   *[no] {""}
}{ $resigned ->
    [yes] , hat aufgegeben
   *[no] {""}
}

# --- Karten ---

facet-kind = Art
facet-skill = Fähigkeit
facet-colour = Farbe
facet-number = Nummer
facet-players = Spieler
facet-team = Team
value-ringleader = Bandenchef
value-specialist = Spezialist
value-job = Auftrag
value-any = beliebige Fähigkeit
value-brain = Köpfchen
value-speed = Tempo
value-brawn = Muskeln
value-blue = Blau
value-green = Grün
value-red = Rot
value-yellow = Gelb
value-purple = Lila
piece-mastermind = Drahtzieher
    .text = Zieh drei Karten. Behalte eine und leg die anderen ab.
piece-thief = Dieb
    .text = Stiehl 2 Mio. ISK aus der Staatskasse.
piece-pickpocket = Taschendieb
    .text = Stiehl einem Gegner 2 Mio. ISK.
piece-fall-guy = Sündenbock
    .text = Zeig eine andere Karte deiner Hand und führe ihren Text aus. Sie bleibt auf deiner Hand. Sündenbock und Maulwurf sind ausgenommen.
piece-recruiter = Anwerber
    .text = Zieh zwei Karten.
piece-forger = Fälscher
    .text = Du darfst einen deiner erledigten Aufträge gegen einen eines Gegners tauschen.
piece-fixer = Strippenzieher
    .text = Nimm eine andere Karte aus deinem Versteck auf die Hand zurück.
piece-analyst = Analyst
    .text = Zieh zwei Karten, behalte eine und leg die andere ab. Stiehl dann 1 Mio. ISK aus der Staatskasse.
piece-con-man = Trickbetrüger
    .text = Stiehl 1 Mio. ISK aus der Staatskasse für jede verschiedene Fähigkeit in deinem Versteck, die dieser Karte eingeschlossen.
piece-wheelman = Fluchtfahrer
    .text = In deinem Versteck vergeht noch einmal Zeit.
piece-femme-fatale = Femme fatale
    .text = Du darfst ein zweites Ding drehen. Davor vergeht in deinem Versteck Zeit.
piece-burglar = Einbrecher
    .text = Stiehl 3 Mio. ISK aus der Staatskasse.
piece-hacker = Hacker
    .text = Stiehl 2 Mio. ISK aus der Staatskasse, oder 3 Mio. ISK, wenn du einen Auftrag erledigt hast.
piece-middle-man = Mittelsmann
    .text = Stiehl einem Gegner 1 Mio. ISK, und 1 Mio. ISK aus der Staatskasse.
piece-thug = Schläger
    .text = Spiel eine weitere Karte daneben; ihr Text zählt nicht. Stiehl jedem Gegner 1 Mio. ISK für jede Karte dieser Fähigkeit, die in einer Nacht seines Verstecks allein liegt.
piece-enforcer = Vollstrecker
    .text = Stiehl dem reichsten Gegner 3 Mio. ISK.
piece-extortionist = Erpresser
    .text = Stiehl jedem Gegner 1 Mio. ISK, einem einzigen Gegner 2 Mio. ISK.
piece-kidnapper = Entführer
    .text = Nimm eine Karte, die in einer Nacht eines gegnerischen Verstecks allein liegt, auf deine Hand. Bandenchefs sind ausgenommen.
piece-inside-man = Maulwurf
    .text = Du darfst diese Karte gegen eine Karte in einem gegnerischen Versteck tauschen und deren Text ausführen. Bandenchefs und Maulwürfe sind ausgenommen. In einem Team zeigt diese Karte eine beliebige Fähigkeit.
piece-kidnap-weapon-experts = Waffenexperten entführen
    .exact = Waffenexperten entführen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: zieh zwei Karten.
piece-bribe-the-auditors = Prüfer bestechen
    .exact = Prüfer bestechen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: zieh zwei Karten.
piece-poach-the-labs = Labore abwerben
    .exact = Labore abwerben ({ $colour } { $number })
    .text = Team: { $team }. Lohn: zieh zwei Karten und stiehl 1 Mio. ISK aus der Staatskasse.
piece-turn-the-board = Vorstand umdrehen
    .exact = Vorstand umdrehen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: zieh drei Karten und stiehl 2 Mio. ISK aus der Staatskasse.
piece-skim-the-tolls = Zölle abschöpfen
    .exact = Zölle abschöpfen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 3 Mio. ISK aus der Staatskasse.
piece-reroute-the-convoy = Konvoi umleiten
    .exact = Konvoi umleiten ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 3 Mio. ISK aus der Staatskasse.
piece-crack-the-exchange = Börse knacken
    .exact = Börse knacken ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 4 Mio. ISK aus der Staatskasse.
piece-drain-the-reserve = Reserve anzapfen
    .exact = Reserve anzapfen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 5 Mio. ISK aus der Staatskasse.
piece-hold-up-the-depot = Depot überfallen
    .exact = Depot überfallen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 3 Mio. ISK aus der Staatskasse.
piece-storm-the-checkpoint = Kontrollposten stürmen
    .exact = Kontrollposten stürmen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 3 Mio. ISK aus der Staatskasse.
piece-raid-the-armoury = Waffenkammer plündern
    .exact = Waffenkammer plündern ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 4 Mio. ISK aus der Staatskasse.
piece-break-into-the-mint = In die Münze einbrechen
    .exact = In die Münze einbrechen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 5 Mio. ISK aus der Staatskasse.
piece-hack-credit-system = Kreditsystem hacken
    .exact = Kreditsystem hacken ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl einem Gegner 2 Mio. ISK.
piece-clone-the-ledgers = Kontobücher klonen
    .exact = Kontobücher klonen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl einem Gegner 3 Mio. ISK.
piece-hijack-the-payroll = Lohngelder kapern
    .exact = Lohngelder kapern ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl einem Gegner 5 Mio. ISK.
piece-empty-the-vault = Tresor leeren
    .exact = Tresor leeren ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl einem Gegner 7 Mio. ISK.
piece-sell-false-papers = Falsche Papiere verkaufen
    .exact = Falsche Papiere verkaufen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl jedem Gegner 1 Mio. ISK.
piece-run-the-protection = Schutzgeld kassieren
    .exact = Schutzgeld kassieren ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl jedem Gegner 1 Mio. ISK und zieh eine Karte.
piece-rig-the-tribunal = Tribunal schmieren
    .exact = Tribunal schmieren ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl jedem Gegner 2 Mio. ISK.
piece-own-the-precinct = Revier übernehmen
    .exact = Revier übernehmen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl jedem Gegner 3 Mio. ISK.

# --- Optionen ---

option-first-seat = Wer beginnt
    .description = Der Spieler, der beginnt. Am Tisch ist es, wer zuletzt gegen ein Gesetz verstoßen hat, wie geringfügig auch immer.
    .is-random = Der Zufall entscheidet
option-two-seat-deck = Stapel für zwei Spieler
    .description = Ob eine Partie zu zweit alle Spezialisten hat wie in der Anleitung, oder ob von jedem einer draußen bleibt.
    .is-all = Alle Spezialisten
    .is-one-of-each-removed = Von jedem einer weniger

# --- Ablehnungen ---

refusal-decide-first = erst musst du { $asked }
refusal-must-play = passen darf nur, wer keine Karte spielen kann
refusal-not-in-hand = nicht auf deiner Hand: { $cards }
refusal-not-on-top = { $job } ist nicht der nächste Auftrag seiner Farbe
refusal-wrong-team = das Team passt nicht zu { $job }: { $missing-count ->
    [0] zu viel ist { $spare }
   *[other] { $spare-count ->
        [0] es { $missing-count ->
            [one] fehlt
           *[other] fehlen
        } { $missing }
       *[other] es { $missing-count ->
            [one] fehlt
           *[other] fehlen
        } { $missing }, und zu viel ist { $spare }
    }
}
refusal-no-partner = { $card } braucht eine weitere Karte deiner Hand neben sich
refusal-not-duplicated = { $card } lässt sich nicht nachmachen
refusal-not-exchanged = { $card } lässt sich nicht tauschen
refusal-loyal = { $card } ist Bandenchef und wechselt nie die Seite
refusal-not-a-choice = das steht nicht zur Wahl: { $choices }

# --- So wird gespielt ---

primer-1 = Das Ziel
    .text =
        Sei am Ende am reichsten. Du schickst Leute los, die allein oder im Team aus der Staatskasse und voneinander stehlen. Aufträge,
        die du erledigst, bringen einen Bonus, wenn du mehrere einer Farbe hast.
primer-2 = Dein Zug
    .text =
        Zuerst vergeht Zeit: Deine Leute im Versteck rücken eine Nacht weiter, von der ersten in die zweite, in die dritte und dann in
        die Erholung.

        Dann tust du eines: Du drehst ein Ding, oder du erledigst einen Auftrag. Wenn du kannst, musst du.

        Zuletzt kommen alle aus deiner Erholung auf deine Hand zurück. Wen du losschickst, der ist also drei Nächte lang weg. Du darfst
        beliebig viele Karten auf der Hand haben.
primer-3 = Ein Ding drehen
    .text =
        Spiel eine Person von deiner Hand in die erste Nacht und tu, was auf der Karte steht. Mehrere Teile geschehen der Reihe nach,
        und was unmöglich ist, entfällt. Die meisten stehlen oder ziehen Karten; was du bei einigen wissen musst:

        - Die Femme fatale lässt dich eine zweite Person spielen: Davor vergeht in deinem Versteck Zeit.
        - Der Schläger nimmt jemanden aus deiner Hand mit. Dessen Text zählt nicht; für jede Karte mit dessen Fähigkeit, die in einer
          Nacht eines gegnerischen Verstecks allein liegt, stiehlst du dort 1 Mio. ISK.
        - Der Sündenbock tut, was auf einer anderen Karte deiner Hand steht, und diese bleibt dort. Ein Maulwurf oder Sündenbock darf es
          nicht sein.
        - Der Maulwurf darf mit einer Karte im Versteck eines Gegners den Platz tauschen, und dann tust du, was auf jener Karte steht.
        - Bandenchefs können weder entführt noch eingetauscht werden.
primer-4 = Einen Auftrag erledigen
    .text =
        Wähl den obersten Auftrag einer Farbe und spiel von deiner Hand ein Team in die erste Nacht, das genau seine Fähigkeiten zeigt:
        Nichts darf fehlen, nichts übrig sein. Ein Maulwurf zeigt, was du brauchst. Die Texte des Teams zählen nicht: Du bekommst
        stattdessen den Lohn und legst den Auftrag vor dich. Danach liegt der nächste seiner Farbe oben.

        Zwei oder mehr Karten in einer Nacht sind ein Team: Schläger und Entführer gehen an ihnen vorbei.
primer-5 = Wenn du nichts spielen kannst
    .text =
        Ohne Karte auf der Hand passt du: 1 Mio. ISK aus deiner Beute kommt, wenn du sie hast, statt einer Karte in deine erste Nacht.
        Nach drei Nächten geht sie an die Staatskasse zurück, nicht an dich.
primer-6 = Das Ende
    .text =
        Die Partie endet sofort, wenn die Staatskasse leer ist, oder wenn Stapel und Ablagestapel beide leer sind. Sie endet auch,
        sobald der letzte Auftrag erledigt ist.

        Deine Punkte sind deine Beute und ein Bonus für jede Farbe, in der du mehrere Aufträge erledigt hast: 2 für zwei Aufträge, 4 für
        drei, 8 für alle vier. Bei gleichen Punkten gewinnen mehr Aufträge, dann weniger Leute in Hand, Versteck und Erholung.
