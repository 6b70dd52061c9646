game = You Dirty Rat
    .description = Schick deine Ganoven los, allein oder im Team auf Raubzug, und stiehl von der Stadt und den anderen Unterweltbossen.
    .duration = etwa 30 Minuten
    .difficulty = mittel

# --- Orte ---

place-box = Schachtel
    .from = aus der Schachtel
    .to = in die Schachtel
    .at = in der Schachtel
place-town-stash = Stadtkasse
    .from = aus der Stadtkasse
    .to = in die Stadtkasse
    .at = in der Stadtkasse
place-deck = Stapel
    .from = vom Stapel
    .to = in den Stapel
    .at = im Stapel
place-discard = Ablagestapel
    .from = vom Ablagestapel
    .to = auf den Ablagestapel
    .at = auf dem Ablagestapel
place-heists = Raubzüge in { $value }
    .from = aus den Raubzügen in { $value }
    .to = zu den Raubzügen in { $value }
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
place-committed-heists = Begangene Raubzüge
    .from = aus { $owner-is ->
        [you] deinen begangenen Raubzügen
        [self] den begangenen Raubzügen
       *[other] den begangenen Raubzügen { $owner-whose }
    }
    .to = zu { $owner-is ->
        [you] deinen begangenen Raubzügen
        [self] den begangenen Raubzügen
       *[other] den begangenen Raubzügen { $owner-whose }
    }
    .at = unter { $owner-is ->
        [you] deinen begangenen Raubzügen
        [self] den begangenen Raubzügen
       *[other] den begangenen Raubzügen { $owner-whose }
    }

# --- Münzen, Rückseiten, Markierungen ---

coin-hundred = Dollar
    .help = Geld, in Marken zu 100 $.
    .amount = { $amount ->
        [0] 0 $
       *[other] { $amount }00 $
    }
    .some = etwas Geld
back-specialist = Person
    .help = Die Rückseite von Bandenchefs und Spezialisten.
    .counted = { $count ->
        [one] eine Karte
       *[other] { $count } Karten
    }
back-heist = Raub
    .help = Die Rückseite von Raubzügen.
    .counted = { $count ->
        [one] einen Raub
       *[other] { $count } Raubzüge
    }
mark-deck-end = Ende durch den Stapel
    .help = Wann ein aufgebrauchter Stapel diese Partie beendet.
mark-second-heist = Raub als zweite Karte
    .help = Gesetzt, wenn nach einer Femme fatale ein Raub begangen werden kann.
mark-acting = Im Gang
    .help = Die Karte, deren Text, oder der Raub, dessen Lohn gerade ausgeführt wird.
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
moved-heists-committed-heists = { $seat-is ->
    [you] begehst
   *[other] begeht
} den Raub { $what }
# Nimmt eine Karte des eigenen Verstecks zurück.
moved-own = { $seat-is ->
    [you] nimmst
   *[other] nimmt
} { $what } { $from } zurück
# Was für eine andere Karte oder einen anderen Raub im Tausch gegeben wird.
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
moved-heists-box = die Raubzüge { $at } bleiben draußen
# Die Ansage sagt es.
moved-discard-deck = {""}
paid-hundred-box-town-stash = { $what } füllen die Stadtkasse
paid-taken-from = { $seat-is ->
    [you] stiehlst
   *[other] stiehlt
} { $giver-to } { $what }
paid-hundred-stash-first-night = { $seat-is ->
    [you] legst
   *[other] legt
} { $what } in die erste Nacht
# Eine Marke rückt mit der Zeit vor, die erzählt wird.
paid-hundred-first-night-second-night = {""}
paid-hundred-second-night-third-night = {""}
paid-hundred-third-night-town-stash = { $what } aus der dritten Nacht kommt in die Stadtkasse zurück

# --- Entscheidungen, Aktionen, Ansagen ---

decision-turn = einen Spezialisten spielen oder einen Raub begehen
decision-second-play = über eine zweite Karte entscheiden
decision-rob = einen Gegner zum Bestehlen wählen
decision-name-archetype = den Typ nennen, den der Maulwurf neben dem Schläger zeigt
decision-swap-heists = über den Tausch eines begangenen Raubs gegen einen eines Gegners entscheiden
decision-choose = { $value-key ->
    [keep] eine der gezogenen Karten behalten
    [team-up] eine Karte für das Team mit dem Schläger wählen
    [duplicate] eine Karte der Hand wählen, die der Sündenbock nachmacht
    [take-back] eine Karte im Versteck zum Zurücknehmen wählen
    [abduct] eine Karte eines Gegners zum Entführen wählen
   *[exchange] über den Tausch des Maulwurfs gegen eine Karte eines Gegners entscheiden
}
verb-play-specialist = Einen Spezialisten spielen
    .help = Spielt eine Karte in die erste Nacht und führt ihren Text aus.
    .label = { $card } spielen
verb-commit-heist = Einen Raub begehen
    .help = Spielt ein Team mit genau den Typen eines Raubs, für dessen Lohn.
    .label = { $heist } begehen mit { $team }
    .short = { $heist }: { $team }
verb-keep = Eine Karte behalten
    .help = Behält eine der gezogenen Karten und legt die anderen ab.
    .label = { $card } behalten
verb-team-up = Ein Team bilden
    .help = Spielt eine Karte neben den Schläger, als Zweierteam.
    .label = Ein Team mit { $card } bilden
verb-duplicate = Eine Karte nachmachen
    .help = Führt den Text einer anderen Karte der Hand aus, die dort bleibt.
    .label = { $card } nachmachen
    .does = { $seat-is ->
        [you] lässt
       *[other] lässt
    } den Sündenbock eine andere Karte nachmachen
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
verb-name-archetype = Einen Typ nennen
    .help = Nennt den Typ, den der Maulwurf neben dem Schläger zeigt.
    .label = { $archetype } nennen
verb-swap-heists = Raubzüge tauschen
    .help = Tauscht einen begangenen Raub gegen einen eines Gegners.
    .label = { $mine } gegen { $theirs } tauschen
    .short = { $mine } → { $theirs }
verb-decline = Verzichten
    .help = Verzichtet auf die zweite Karte oder den Tausch.
    .does = { $seat-is ->
        [you] verzichtest
       *[other] verzichtet
    }
verb-pass = Passen
    .help = Legt 100 $ in die erste Nacht, weil keine Karte gespielt werden kann.
    .label = Passen
# Die Karte sagt es.
announcement-play = {""}
    .title = Karte
announcement-heist = {""}
    .title = Raub
announcement-nothing-comes-of-it = es kommt nichts dabei heraus
announcement-time-advances = {""}
    .title = Zeit vergeht
announcement-targets =
    .does = { $seat-is ->
        [you] hast
       *[other] hat
    } es auf einzelne Karten in { $value } abgesehen
announcement-new-deck = die abgelegten Karten werden zum neuen Stapel
announcement-cannot-play =
    .does = { $seat-is ->
        [you] hast
       *[other] hat
    } keine spielbare Karte
announcement-town-stash-empty = die Stadtkasse ist leer, und die Partie ist zu Ende
announcement-heists-committed = alle Raubzüge sind begangen, und die Partie ist zu Ende
announcement-deck-out = der Stapel ist aufgebraucht, und die Partie ist zu Ende
# Die Punkte nennen Beute und Boni als ihre Teile.
announcement-stash-holds = {""}
    .title = Beute
announcement-bonus = {""}
    .title = Bonus für Raubzüge in { $value }
announcement-tie-on-heists = { $seat-is ->
    [you] du hast
   *[other] { $seat } hat
} mit am meisten Geld, und { $amount ->
    [one] { $amount } begangenen Raub
   *[other] { $amount } begangene Raubzüge
}
announcement-tie-on-people = { $seat-is ->
    [you] du liegst
   *[other] { $seat } liegt
} noch immer gleichauf, mit { $amount ->
    [one] { $amount } Karte
   *[other] { $amount } Karten
}
# Ein Lohn mit einer Wahl: Der Raub ist erst danach begangen.
marked-acting = { $now-key ->
    [bank-teller-stick-up] der Raub ist „{ $now }“
    [bookmaker-held-up] der Raub ist „{ $now }“
    [casino-count-short] der Raub ist „{ $now }“
    [rival-vault-cracked] der Raub ist „{ $now }“
   *[other] {""}
}
score = { $seat } { $points ->
    [0] 0 $
   *[other] { $points }00 $
}
score-of-parts = { $seat } { $points ->
    [0] 0 $
   *[other] { $points }00 $
} ({ $parts })
score-part = { $title } { $sign }{ $points }00 $
table-seat = { $seat-is ->
    [you] Du
   *[other] { $seat }
}, Platz { $number }{ $scored ->
    [yes] , { $points ->
    [0] 0 $
   *[other] { $points }00 $
}
   *[no] {""}
}{ $resigned ->
    [yes] , hat aufgegeben
   *[no] {""}
}

# --- Karten ---

facet-kind = Art
facet-archetype = Typ
facet-colour = Farbe
facet-number = Nummer
facet-players = Spieler
facet-team = Team
value-ringleader = Bandenchef
value-specialist = Spezialist
value-heist = Raub
value-any = beliebiger Typ
value-blue = Blau
value-green = Grün
value-red = Rot
value-yellow = Gelb
value-purple = Lila
piece-mastermind = Drahtzieher
    .text = Zieh drei Karten. Behalte eine und leg die anderen ab.
piece-thief = Dieb
    .text = Stiehl 200 $ aus der Stadtkasse.
piece-pickpocket = Taschendieb
    .text = Stiehl einem Gegner 200 $.
piece-fall-guy = Sündenbock
    .text = Zeig eine andere Karte deiner Hand und führe ihren Text aus. Sie bleibt auf deiner Hand. Sündenbock und Maulwurf sind ausgenommen.
piece-recruiter = Anwerber
    .text = Zieh zwei Karten.
piece-forger = Fälscher
    .text = Du darfst einen deiner begangenen Raubzüge gegen einen eines Gegners tauschen.
piece-fixer = Strippenzieher
    .text = Nimm eine andere Karte aus deinem Versteck auf die Hand zurück.
piece-analyst = Analyst
    .text = Zieh zwei Karten, behalte eine und leg die andere ab. Stiehl dann 100 $ aus der Stadtkasse.
piece-con-man = Trickbetrüger
    .text = Stiehl 100 $ aus der Stadtkasse für jeden verschiedenen Typ in deinem Versteck, den dieser Karte eingeschlossen.
piece-wheelman = Fluchtfahrer
    .text = In deinem Versteck vergeht noch einmal Zeit.
piece-femme-fatale = Femme fatale
    .text = Du darfst eine zweite Karte spielen. Davor vergeht in deinem Versteck Zeit.
piece-burglar = Einbrecher
    .text = Stiehl 300 $ aus der Stadtkasse.
piece-hacker = Hacker
    .text = Stiehl 200 $ aus der Stadtkasse, oder 300 $, wenn du einen Raub begangen hast.
piece-middle-man = Mittelsmann
    .text = Stiehl einem Gegner 100 $, und 100 $ aus der Stadtkasse.
piece-thug = Schläger
    .text = Spiel eine weitere Karte daneben; ihr Text zählt nicht. Stiehl jedem Gegner 100 $ für jede Karte dieses Typs, die in einer Nacht seines Verstecks allein liegt.
piece-enforcer = Vollstrecker
    .text = Stiehl dem reichsten Gegner 300 $.
piece-extortionist = Erpresser
    .text = Stiehl jedem Gegner 100 $, einem einzigen Gegner 200 $.
piece-kidnapper = Entführer
    .text = Nimm eine Karte, die in einer Nacht eines gegnerischen Verstecks allein liegt, auf deine Hand. Bandenchefs sind ausgenommen.
piece-inside-man = Maulwurf
    .text = Du darfst diese Karte gegen eine Karte in einem gegnerischen Versteck tauschen und deren Text ausführen. Bandenchefs und Maulwürfe sind ausgenommen. In einem Team zeigt diese Karte einen beliebigen Typ.
piece-weapon-unveiled = Waffe enthüllt
    .exact = Waffe enthüllt ({ $colour } { $number })
    .text = Team: { $team }. Lohn: zieh eine Karte.
piece-archive-ransacked = Archiv durchwühlt
    .exact = Archiv durchwühlt ({ $colour } { $number })
    .text = Team: { $team }. Lohn: zieh zwei Karten.
piece-inventor-missing = Erfinder vermisst
    .exact = Erfinder vermisst ({ $colour } { $number })
    .text = Team: { $team }. Lohn: zieh zwei Karten und stiehl 100 $ aus der Stadtkasse.
piece-mayor-in-the-pocket = Bürgermeister gekauft
    .exact = Bürgermeister gekauft ({ $colour } { $number })
    .text = Team: { $team }. Lohn: zieh drei Karten und stiehl 200 $ aus der Stadtkasse.
piece-art-display-stolen = Kunstwerke gestohlen
    .exact = Kunstwerke gestohlen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 300 $ aus der Stadtkasse.
piece-mail-train-stopped = Postzug gestoppt
    .exact = Postzug gestoppt ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 300 $ aus der Stadtkasse.
piece-jeweller-cleaned-out = Juwelier ausgeräumt
    .exact = Juwelier ausgeräumt ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 400 $ aus der Stadtkasse.
piece-museum-emptied = Museum geplündert
    .exact = Museum geplündert ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 500 $ aus der Stadtkasse.
piece-supermarket-robbery = Raub im Supermarkt
    .exact = Raub im Supermarkt ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 300 $ aus der Stadtkasse.
piece-payroll-truck-ambushed = Geldtransporter überfallen
    .exact = Geldtransporter überfallen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 300 $ aus der Stadtkasse.
piece-docks-on-fire = Hafen in Flammen
    .exact = Hafen in Flammen ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 400 $ aus der Stadtkasse.
piece-city-bank-blown-open = Stadtbank gesprengt
    .exact = Stadtbank gesprengt ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl 500 $ aus der Stadtkasse.
piece-bank-teller-stick-up = Bankangestellter bedroht
    .exact = Bankangestellter bedroht ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl einem Gegner 200 $.
piece-bookmaker-held-up = Buchmacher ausgeraubt
    .exact = Buchmacher ausgeraubt ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl einem Gegner 300 $.
piece-casino-count-short = Kasinokasse stimmt nicht
    .exact = Kasinokasse stimmt nicht ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl einem Gegner 500 $.
piece-rival-vault-cracked = Tresor des Rivalen geknackt
    .exact = Tresor des Rivalen geknackt ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl einem Gegner 700 $.
piece-muggings-begin = Überfälle auf offener Straße
    .exact = Überfälle auf offener Straße ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl jedem Gegner 100 $.
piece-rackets-spread = Schutzgeld breitet sich aus
    .exact = Schutzgeld breitet sich aus ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl jedem Gegner 100 $ und zieh eine Karte.
piece-turf-war-declared = Bandenkrieg erklärt
    .exact = Bandenkrieg erklärt ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl jedem Gegner 200 $.
piece-whole-town-squeezed = Ganze Stadt erpresst
    .exact = Ganze Stadt erpresst ({ $colour } { $number })
    .text = Team: { $team }. Lohn: stiehl jedem Gegner 300 $.

# --- Optionen ---

option-first-seat = Wer beginnt
    .description = Der Spieler, der beginnt. Am Tisch entscheiden die Spieler, wie er bestimmt wird.
    .is-random = Der Zufall entscheidet
option-deck-end = Ende durch den Stapel
    .description = Wann ein aufgebrauchter Stapel die Partie beendet: wenn eine Karte zu ziehen ist und auch der Ablagestapel leer ist, oder sobald der Stapel leer ist. Die Anleitung sagt beides.
    .is-nothing-to-draw = Nichts mehr zu ziehen
    .is-deck-empty = Stapel leer
option-second-play = Zweite Karte
    .description = Was die Femme fatale als Zweites erlaubt: nur einen Spezialisten, oder auch einen Raub.
    .is-specialist = Einen Spezialisten
    .is-specialist-or-heist = Einen Spezialisten oder einen Raub

# --- Ablehnungen ---

refusal-decide-first = erst musst du { $asked }
refusal-must-play = passen darf nur, wer keine Karte spielen kann
refusal-not-in-hand = nicht auf deiner Hand: { $cards }
refusal-not-on-top = { $job } ist nicht der nächste Raub seiner Farbe
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
        Sei am Ende am reichsten. Du schickst Leute los, die allein oder im Team aus der Stadtkasse und voneinander stehlen. Raubzüge,
        die du begehst, bringen einen Bonus, wenn du mehrere einer Farbe hast.
primer-2 = Dein Zug
    .text =
        Zuerst vergeht Zeit: Deine Leute im Versteck rücken eine Nacht weiter, von der ersten in die zweite, in die dritte und dann in
        die Erholung.

        Dann tust du eines: Du spielst einen Spezialisten, oder du begehst einen Raub. Wenn du kannst, musst du.

        Zuletzt kommen alle aus deiner Erholung auf deine Hand zurück. Wen du losschickst, der ist also drei Nächte lang weg. Du darfst
        beliebig viele Karten auf der Hand haben.
primer-3 = Einen Spezialisten spielen
    .text =
        Spiel eine Person von deiner Hand in die erste Nacht und tu, was auf der Karte steht. Mehrere Teile geschehen der Reihe nach,
        und was unmöglich ist, entfällt. Die meisten stehlen oder ziehen Karten; was du bei einigen wissen musst:

        - Die Femme fatale lässt dich eine zweite Person spielen: Davor vergeht in deinem Versteck Zeit.
        - Der Schläger nimmt jemanden aus deiner Hand mit. Dessen Text zählt nicht; für jede Karte mit dessen Typ, die in einer Nacht
          eines gegnerischen Verstecks allein liegt, stiehlst du dort 100 Dollar.
        - Der Sündenbock tut, was auf einer anderen Karte deiner Hand steht, und diese bleibt dort. Ein Maulwurf oder Sündenbock darf es
          nicht sein.
        - Der Maulwurf darf mit einer Karte im Versteck eines Gegners den Platz tauschen, und dann tust du, was auf jener Karte steht.
        - Bandenchefs können weder entführt noch eingetauscht werden.
primer-4 = Einen Raub begehen
    .text =
        Wähl den obersten Raub einer Farbe und spiel von deiner Hand ein Team in die erste Nacht, das genau seine Typen zeigt: Nichts
        darf fehlen, nichts übrig sein. Ein Maulwurf zeigt, was du brauchst. Die Texte des Teams zählen nicht: Du bekommst stattdessen
        den Lohn und legst den Raub vor dich. Danach liegt der nächste seiner Farbe oben.

        Zwei oder mehr Karten in einer Nacht sind ein Team: Schläger und Entführer gehen an ihnen vorbei.
primer-5 = Wenn du nichts spielen kannst
    .text =
        Ohne Karte auf der Hand, oder mit nichts als einem einzelnen Schläger, passt du: 100 Dollar aus deiner Beute kommen, wenn du sie
        hast, statt einer Karte in deine erste Nacht. Nach drei Nächten gehen sie an die Stadtkasse zurück, nicht an dich. Wer mit einer
        Karte auf der Hand passt, zeigt sie.
primer-6 = Das Ende
    .text =
        Die Partie endet sofort, wenn die Stadtkasse leer ist, oder wenn eine Karte zu ziehen ist, während Stapel und Ablagestapel beide
        leer sind; eine Option beendet sie, sobald der Stapel leer ist. Sie endet auch, sobald der letzte Raub begangen ist.

        Deine Punkte sind deine Beute in Hundertern und ein Bonus für jede Farbe, in der du mehrere Raubzüge begangen hast: 2 für zwei
        Raubzüge, 4 für drei, 7 für alle vier. Bei gleichen Punkten gewinnen mehr Raubzüge, dann weniger Leute in Hand, Versteck und
        Erholung.
