game = Among Thieves
    .description = Geht zusammen auf Raubzug, teilt die Beute oder nehmt sie ganz, und achtet auf eure Ehre.
    .duration = 30 bis 45 Minuten
    .difficulty = leicht

# Ein Konzern in Kurzform, vor „-Stapel“.
corporation = { $value-key ->
    [corvid] Corvid
    [lefleur] LeFleur
   *[paragon] Paragon
}

# --- Orte ---

place-reserve = Bank
    .from = aus der Bank
    .to = in die Bank
    .at = in der Bank
place-box = Schachtel
    .from = aus der Schachtel
    .to = in die Schachtel
    .at = in der Schachtel
place-deck = { corporation }-Stapel
    .from = vom { corporation }-Stapel
    .to = in den { corporation }-Stapel
    .at = im { corporation }-Stapel
place-pot = Auf dem { corporation }-Stapel
    .from = vom { corporation }-Stapel
    .to = auf den { corporation }-Stapel
    .at = auf dem { corporation }-Stapel
place-event-deck = Ereignisstapel
    .from = vom Ereignisstapel
    .to = in den Ereignisstapel
    .at = im Ereignisstapel
place-events = Ereignisse
    .from = aus den Ereignissen
    .to = zu den Ereignissen
    .at = bei den Ereignissen
place-event-discard = Abgelegte Ereignisse
    .from = aus den abgelegten Ereignissen
    .to = zu den abgelegten Ereignissen
    .at = bei den abgelegten Ereignissen
place-payout = Beute
    .from = aus der Beute
    .to = in die Beute
    .at = in der Beute
place-discard = Abgelegte Karten
    .from = von den abgelegten Karten
    .to = zu den abgelegten Karten
    .at = bei den abgelegten Karten
place-stash = Versteck
    .from = aus { $owner-is ->
        [you] deinem Versteck
        [self] dem Versteck
       *[other] dem Versteck { $owner-whose }
    }
    .to = in { $owner-is ->
        [you] dein Versteck
        [self] das Versteck
       *[other] das Versteck { $owner-whose }
    }
    .at = in { $owner-is ->
        [you] deinem Versteck
        [self] dem Versteck
       *[other] dem Versteck { $owner-whose }
    }
place-track = Ehrenleiste
    .from = von { $owner-is ->
        [you] deiner Ehrenleiste
        [self] der Ehrenleiste
       *[other] der Ehrenleiste { $owner-whose }
    }
    .to = auf { $owner-is ->
        [you] deine Ehrenleiste
        [self] die Ehrenleiste
       *[other] die Ehrenleiste { $owner-whose }
    }
    .at = auf { $owner-is ->
        [you] deiner Ehrenleiste
        [self] der Ehrenleiste
       *[other] der Ehrenleiste { $owner-whose }
    }
place-pocket = Ehrenscheibe
    .from = von { $owner-is ->
        [you] deiner Ehrenscheibe
        [self] der Ehrenscheibe
       *[other] der Ehrenscheibe { $owner-whose }
    }
    .to = zurück zu { $owner-is ->
        [you] deiner Ehrenscheibe
        [self] der Ehrenscheibe
       *[other] der Ehrenscheibe { $owner-whose }
    }
    .at = auf { $owner-is ->
        [you] deiner Ehrenscheibe
        [self] der Ehrenscheibe
       *[other] der Ehrenscheibe { $owner-whose }
    }
place-palm = Geheime Wahl
    .from = unter { $owner-is ->
        [you] deiner Hand
        [self] der Hand
       *[other] der Hand { $owner-whose }
    } hervor
    .to = unter { $owner-is ->
        [you] deine Hand
        [self] die Hand
       *[other] die Hand { $owner-whose }
    }
    .at = unter { $owner-is ->
        [you] deiner Hand
        [self] der Hand
       *[other] der Hand { $owner-whose }
    }
place-revealed = Wahl
    .from = von { $owner-is ->
        [you] deiner aufgedeckten Wahl
        [self] der aufgedeckten Wahl
       *[other] der aufgedeckten Wahl { $owner-whose }
    }
    .to = zu { $owner-is ->
        [you] deiner aufgedeckten Wahl
        [self] der aufgedeckten Wahl
       *[other] der aufgedeckten Wahl { $owner-whose }
    }
    .at = als { $owner-is ->
        [you] deine aufgedeckte Wahl
        [self] aufgedeckte Wahl
       *[other] aufgedeckte Wahl { $owner-whose }
    }
uncounted = verborgen
named = { $back ->
    [event] „{ $title }“
   *[other] { $title }
}

# --- Münzen, Rückseiten, Markierungen ---

coin-million = ISK
    .help = Geld, in Millionen. Der reichste Spieler, der nicht ausscheidet, gewinnt.
    .amount = { $amount } Mio. ISK
    .some = einige ISK
coin-honor = Ehre
    .help = Wie weit ein Spieler auf der Ehrenleiste ist, von 1 bis 13. Wer zu wenig davon hat, bei einer der Schlusskarten zu viel, scheidet am Ende aus.
    .amount = { $amount } Ehre
    .some = etwas Ehre
coin-million-got = { $seat-is ->
    [you] bekommst { $what }
   *[other] bekommt { $what }
}
    .many = { $people-are ->
        [with-you] { $people } bekommt je { $what }
       *[many] { $people } bekommen je { $what }
    }
coin-million-paid = { $seat-is ->
    [you] zahlst { $what }
   *[other] zahlt { $what }
}
    .many = { $people-are ->
        [with-you] { $people } zahlt je { $what }
       *[many] { $people } zahlen je { $what }
    }
coin-honor-got = { $seat-is ->
    [you] gewinnst { $what }
   *[other] gewinnt { $what }
}
    .many = { $people-are ->
        [with-you] { $people } gewinnt je { $what }
       *[many] { $people } gewinnen je { $what }
    }
coin-honor-paid = { $seat-is ->
    [you] verlierst { $what }
   *[other] verliert { $what }
}
    .many = { $people-are ->
        [with-you] { $people } verliert je { $what }
       *[many] { $people } verlieren je { $what }
    }
back-disc = Ehrenscheibe
    .help = Eine Ehrenscheibe unter einer Hand: Die Wahl ist getroffen, aber niemand sonst sieht sie.
    .counted = { $count ->
        [one] eine verdeckte Scheibe
       *[other] { $count } verdeckte Scheiben
    }
back-tier-one-card = { corporation }-Karte der Stufe 1
    .help = Die obersten Karten eines Konzerns, mit den kleinsten Werten.
    .counted = { $count ->
        [one] eine { corporation }-Karte der Stufe 1
       *[other] { $count } { corporation }-Karten der Stufe 1
    }
back-tier-two-card = { corporation }-Karte der Stufe 2
    .help = Die mittleren Karten eines Konzerns.
    .counted = { $count ->
        [one] eine { corporation }-Karte der Stufe 2
       *[other] { $count } { corporation }-Karten der Stufe 2
    }
back-tier-three-card = { corporation }-Karte der Stufe 3
    .help = Die untersten Karten eines Konzerns, mit den größten Werten. Eine davon ist seine Schlusskarte.
    .counted = { $count ->
        [one] eine { corporation }-Karte der Stufe 3
       *[other] { $count } { corporation }-Karten der Stufe 3
    }
back-event = Ereignis
    .counted = { $count ->
        [one] ein Ereignis
       *[other] { $count } Ereignisse
    }
mark-member = Auf dem Raubzug
    .help = Der Spieler gehört zum Team dieses Raubzugs.
mark-target = Erpresst wird
    .help = Der Konzern, den dieser Raubzug erpresst.
mark-events-due = Ausstehende Ereignisse
    .help = Ereignisse, die dieser Raubzug noch zieht.
mark-eliminated = Ausgeschieden
    .help = Der Spieler ist am Ende ausgeschieden und kann nicht gewinnen.
mark-turns-begun = Zug
    .help = Wie viele Züge begonnen haben. Zahlungen und Angebote nennen die Zahl.
mark-offers-made = Angebote
    .help = Die Angebote, die der Spieler in diesem Zug gemacht hat.

# --- Züge und Entscheidungen ---

turn-began = { $seat-is ->
    [you] Du führst den nächsten Raubzug an
   *[other] { $seat } führt den nächsten Raubzug an
}
turn-again = { $seat-is ->
    [you] Du führst den nächsten Raubzug an
   *[other] { $seat } führt den nächsten Raubzug an
}
table-turn = { $seat-is ->
    [you] du führst den Raubzug an
   *[other] { $seat } führt den Raubzug an
}
summary-turn = { $seat-is ->
    [you] du führst den Raubzug an
   *[other] { $seat } führt den Raubzug an
}
decision-assemble = das Team zusammenstellen
decision-deal = Geschäfte machen
decision-blackmail = einen Konzern erpressen
decision-choose = zwischen Teilen und Betrügen wählen
decision-reconsider = noch einmal wählen
decision-favor = jemanden nennen, der nicht auf dem Raubzug ist und 4 Mio. ISK bekommt

# --- Aktionen ---

verb-pay = Zahlen
    .help = Zahlt einem anderen Spieler sofort und endgültig ISK. Alle sehen, wem du zahlst, aber nicht, wie viel.
    .label = { $to-seat-to } { $millions } Mio. ISK zahlen
verb-assemble = Team zusammenstellen
    .help = Wählt die Hälfte der Spieler, aufgerundet, für den Raubzug. Damit enden die Geschäfte.
    .label = Team zusammenstellen: { $seats }
    .short = { $seats }
verb-blackmail = Erpressen
    .help = Wählt den Konzern des Raubzugs. Du nimmst die ISK von seinem Stapel, und auf jeden anderen kommen 2 Mio. ISK.
    .label = { $corporation } erpressen
verb-choose = Wählen
    .help = Wählt geheim, ob du die Beute teilst oder nimmst. Die Wahl steht fest.
    .label = { $choice-key ->
        [honorable] Ehrenhaft sein
       *[dishonorable] Unehrenhaft sein
    }
verb-favor = Begünstigen
    .help = Nennt jemanden, der nicht auf dem Raubzug ist und 4 Mio. ISK bekommt.
    .label = { $seat-seat-is ->
        [you] Dich selbst für 4 Mio. ISK nennen
       *[other] { $seat-seat-them } für 4 Mio. ISK nennen
    }
    .does = { $seat-is ->
        [you] nennst den Freund in der Not
       *[other] nennt den Freund in der Not
    }
verb-offer = Anbieten
    .help = Bietet einem anderen Spieler ISK an, bittet ihn darum oder beides. Ersetzt dein offenes Angebot.
    .label = { $give ->
        [0] { $to-seat-them } um { $take } Mio. ISK bitten
       *[other] { $take ->
            [0] { $to-seat-to } { $give } Mio. ISK ohne Gegenleistung anbieten
           *[other] { $to-seat-to } { $give } Mio. ISK gegen { $take } Mio. ISK anbieten
        }
    }
    .short = { $to-seat-to } { $give } gegen { $take } Mio. ISK
verb-withdraw = Zurückziehen
    .help = Zieht dein offenes Angebot zurück.
    .label = Dein Angebot zurückziehen
    .does = { $seat-is ->
        [you] ziehst das Angebot zurück
       *[other] zieht das Angebot zurück
    }
verb-accept = Annehmen
    .help = Nimmt ein Angebot zu den Bedingungen an, die du siehst: Die ISK wechseln sofort den Besitzer.
    .label = { $give ->
        [0] Das Angebot { $by-seat-whose } annehmen und { $take } Mio. ISK zahlen
       *[other] { $take ->
            [0] Das Angebot { $by-seat-whose } annehmen und { $give } Mio. ISK bekommen
           *[other] Das Angebot { $by-seat-whose } annehmen: { $give } Mio. ISK gegen { $take } Mio. ISK
        }
    }
    .short = Angebot { $by-seat-whose } annehmen
    .does = { $seat-is ->
        [you] nimmst das Angebot an
       *[other] nimmt das Angebot an
    }
verb-refuse = Ablehnen
    .help = Lehnt ein Angebot ab.
    .label = Das Angebot { $by-seat-whose } ablehnen
    .does = { $seat-is ->
        [you] lehnst ab
       *[other] lehnt ab
    }

# --- Was geschieht ---

offer-closed = { $verb ->
    [offer] {""}
    [withdraw] {""}
    [accept] {""}
    [assemble] {""}
   *[other] { $seat-is ->
        [you] dein Angebot
       *[other] das Angebot { $seat-whose }
    } ist vom Tisch
}
paid-taken-from = { $seat-is ->
    [you] bekommst { $what } von { $giver-to }
   *[other] bekommt { $what } von { $giver-to }
}
announcement-assembles =
    .does = { $seat-is ->
        [you] stellst ein Team zusammen
       *[other] stellt ein Team zusammen
    }
announcement-joins =
    .does = { $seat-is ->
        [you] bist dabei
       *[other] ist dabei
    }
    .many = { $people-are ->
        [with-you] { $people } seid dabei
       *[many] { $people } sind dabei
    }
announcement-blackmails =
    .does = { $seat-is ->
        [you] erpresst { $value }
       *[other] erpresst { $value }
    }
paid-million-reserve-pot = die Bank legt { $shares }
moved-pocket-palm = { $what-key ->
    [honorable] { $seat-is ->
        [you] entscheidest dich, ehrenhaft zu sein
       *[other] entscheidet sich, ehrenhaft zu sein
    }
    [dishonorable] { $seat-is ->
        [you] entscheidest dich, unehrenhaft zu sein
       *[other] entscheidet sich, unehrenhaft zu sein
    }
   *[hidden] { $seat-is ->
        [you] hast gewählt
       *[other] hat gewählt
    }
}
moved-palm-pocket = {""}
moved-palm-revealed = { $what-key ->
    [honorable] { $seat-is ->
        [you] bist ehrenhaft
       *[other] ist ehrenhaft
    }
   *[dishonorable] { $seat-is ->
        [you] bist unehrenhaft
       *[other] ist unehrenhaft
    }
}
    .many = { $what-key ->
        [honorable] { $people-are ->
            [with-you] { $people } seid ehrenhaft
           *[many] { $people } sind ehrenhaft
        }
       *[dishonorable] { $people-are ->
            [with-you] { $people } seid unehrenhaft
           *[many] { $people } sind unehrenhaft
        }
    }
    .begins = die Wahl wird aufgedeckt
moved-revealed-pocket = {""}
moved-deck-stash = { $seat-is ->
    [you] versteckst { $what }
   *[other] versteckt { $what }
}
    .many = { $people-are ->
        [with-you] { $people } versteckt je { $what }
       *[many] { $people } verstecken je { $what }
    }
    .begins = {""}
moved-deck-payout = { $count ->
    [one] { $what } wird aufgedeckt
   *[other] { $what } werden aufgedeckt
}
    .begins = {""}
moved-box-deck = {""}
moved-box-event-deck = {""}
moved-event-deck-events = {""}
    .begins = { $what-key ->
        [fresh-dirt] „Frischer Schmutz“ bringt 3 Mio. ISK mehr Beute
        [damage-control] „Schadensbegrenzung“ kostet 2 Mio. ISK der Beute
        [mother-lode] „Goldader“ verdoppelt die Beute
        [skeletons-in-the-closet] „Leichen im Keller“ bringt 5 Mio. ISK mehr Beute
        [loose-lips] „Lose Zungen“ deckt eine weitere Karte auf
       *[other] { $count ->
            [one] das Ereignis ist { $what }
           *[other] die Ereignisse sind { $what }
        }
    }
moved-event-discard-event-deck = die abgelegten Ereignisse werden zum neuen Ereignisstapel
moved-payout-discard = {""}
moved-events-event-discard = {""}
announcement-payout-is = {""}
    .title = Beute
    .begins = { $amount ->
        [0] es gibt keine Beute
       *[other] die Beute ist { $amount } Mio. ISK wert
    }
announcement-stash-holds = { $seat-is ->
    [you] du hast
   *[other] { $seat } hat
} { $amount ->
    [0] keine Karte
    [one] 1 Karte
   *[other] { $amount } Karten
} im Versteck
announcement-game-end = {""}
    .title = Schlusskarte
    .begins = { $value-key ->
        [lefleur] die Schlusskarte von LeFleur beendet das Spiel, und wer die meiste Ehre hat, scheidet aus
        [paragon] die Schlusskarte von Paragon beendet das Spiel, und wer die wenigste Ehre hat, scheidet aus, ab fünf Spielern auch, wer die zweitwenigste hat
       *[corvid] die Schlusskarte von Corvid beendet das Spiel, und wer die wenigste Ehre hat, scheidet aus
    }
announcement-deck-empty = {""}
    .title = Stapel leer
    .begins = der { corporation }-Stapel ist leer, das Spiel endet, und wer die wenigste Ehre hat, scheidet aus
# Die Punkte sagen es.
announcement-isk-held = {""}
    .title = Versteck
announcement-is-eliminated =
    .title = ausgeschieden
    .begins = {""}
    .does = { $seat-is ->
        [you] scheidest aus
       *[other] scheidet aus
    }
    .many = { $people-are ->
        [with-you] { $people } scheidet aus
       *[many] { $people } scheiden aus
    }

# --- Spielmaterial ---

facet-corporation = Konzern
facet-tier = Stufe
facet-players = Spieler
facet-value = Wert
facet-icon = Symbol
value-corvid = Corvid Economics
value-lefleur = LeFleur Digital Media
value-paragon = Paragon Gyromatics
value-honor = Ehre
value-event = Ereignis
value-honorable = ehrenhaft
value-dishonorable = unehrenhaft
piece-honorable = die ehrenhafte Seite
    .text = Du teilst die Beute des Raubzugs. Ist jemand im Team unehrenhaft, bekommst du nur 1 Ehre.
piece-dishonorable = die unehrenhafte Seite
    .text = Du versteckst eine Karte, bekommst die doppelte Beute und verlierst 1 Ehre. Ist das ganze Team unehrenhaft, gibt es keine Beute.
piece-corvid = Corvid { $value } Mio. ISK{ $icon-key ->
    [honor] {" "}({ $icon })
    [event] {" "}({ $icon })
   *[none] {""}
}
    .text = { $icon-key ->
        [honor] Bringt { $value } Mio. ISK in die Beute. In deinem Versteck gibt sie dir am Ende 1 Ehre.
        [event] Bringt { $value } Mio. ISK und ein Ereignis in die Beute.
       *[none] Bringt { $value } Mio. ISK in die Beute.
    }
piece-lefleur = LeFleur { $value } Mio. ISK{ $icon-key ->
    [honor] {" "}({ $icon })
    [event] {" "}({ $icon })
   *[none] {""}
}
    .text = { $icon-key ->
        [honor] Bringt { $value } Mio. ISK in die Beute. In deinem Versteck gibt sie dir am Ende 1 Ehre.
        [event] Bringt { $value } Mio. ISK und ein Ereignis in die Beute.
       *[none] Bringt { $value } Mio. ISK in die Beute.
    }
piece-paragon = Paragon { $value } Mio. ISK{ $icon-key ->
    [honor] {" "}({ $icon })
    [event] {" "}({ $icon })
   *[none] {""}
}
    .text = { $icon-key ->
        [honor] Bringt { $value } Mio. ISK in die Beute. In deinem Versteck gibt sie dir am Ende 1 Ehre.
        [event] Bringt { $value } Mio. ISK und ein Ereignis in die Beute.
       *[none] Bringt { $value } Mio. ISK in die Beute.
    }
piece-corvid-game-end = die Schlusskarte von Corvid
    .text = In der Beute aufgedeckt, beendet sie nach dem Zug das Spiel: Wer die wenigste Ehre hat, scheidet aus. In einem Versteck tut sie nichts.
piece-lefleur-game-end = die Schlusskarte von LeFleur
    .text = In der Beute aufgedeckt, beendet sie nach dem Zug das Spiel: Wer die meiste Ehre hat, scheidet aus. In einem Versteck tut sie nichts.
piece-paragon-game-end = die Schlusskarte von Paragon
    .text = In der Beute aufgedeckt, beendet sie nach dem Zug das Spiel: Wer die wenigste Ehre hat, scheidet aus; ab fünf Spielern auch, wer die zweitwenigste hat. In einem Versteck tut sie nichts.
piece-fresh-dirt = Frischer Schmutz
    .text = Die Beute wächst um 3 Mio. ISK.
piece-damage-control = Schadensbegrenzung
    .text = Die Beute schrumpft um 2 Mio. ISK, höchstens auf 0.
piece-mother-lode = Goldader
    .text = Nach allen anderen Ereignissen wird die Beute verdoppelt.
piece-loose-lips = Lose Zungen
    .text = Eine weitere Karte des Stapels wird für die Beute aufgedeckt. Ihr Ereignissymbol zählt nicht.
piece-word-on-the-street = Gerede auf der Straße
    .text = Bist du auf dem Raubzug und ehrenhaft, gewinnst du 1 Ehre.
piece-rat-in-the-ranks = Ratte in den Reihen
    .text = Bist du auf dem Raubzug und unehrenhaft, verlierst du 1 Ehre.
piece-second-chance = Zweite Chance
    .text = Hat niemand weniger Ehre als du, gewinnst du 1 Ehre.
piece-feet-of-clay = Tönerne Füße
    .text = Hat niemand mehr Ehre als du, verlierst du 1 Ehre.
piece-finders-fee = Finderlohn
    .text = Führst du den Raubzug an, bekommst du 3 Mio. ISK.
piece-hush-money = Schweigegeld
    .text = Bist du nicht auf dem Raubzug, bekommst du 2 Mio. ISK.
piece-unforeseen-costs = Unvorhergesehene Kosten
    .text = Bist du auf dem Raubzug und hast du ISK, zahlst du 1 Mio. ISK.
piece-loose-change = Kleingeld
    .text = Auf den Stapel jedes Konzerns kommen 2 Mio. ISK.
piece-pass-it-on = Gib’s weiter
    .text = Hast du ISK, zahlst du dem Spieler zu deiner Linken 1 Mio. ISK.
piece-friend-in-need = Freund in der Not
    .text = Führst du den Raubzug an, nennst du jemanden, der nicht auf dem Raubzug ist. Er bekommt 4 Mio. ISK.
piece-fresh-start = Neuanfang
    .text = Hast du höchstens 5 Ehre, gewinnst du 1 Ehre.
piece-open-books = Offene Bücher
    .text = Du sagst an, wie viele Karten in deinem Versteck sind.
piece-skeletons-in-the-closet = Leichen im Keller
    .text = Die Beute wächst um 5 Mio. ISK.

# --- Optionen ---

option-first-seat = Wer beginnt
    .description = Der Spieler, der den ersten Raubzug anführt. Am Tisch ist es, wer zuletzt ehrenhaft war.
    .is-random = Der Zufall entscheidet

# --- Ablehnungen ---

refusal-not-now = jetzt kannst du nur { $asked }
refusal-no-such-seat = diesen Platz gibt es in einer Partie mit { $seats } Plätzen nicht
refusal-yourself = niemand macht Geschäfte mit sich selbst
refusal-has-resigned = { $seat-seat } hat aufgegeben und macht keine Geschäfte
refusal-nothing-paid = eine Zahlung beträgt mindestens 1 Mio. ISK
refusal-not-in-stash = du hast { $held } Mio. ISK, nicht { $millions } Mio. ISK
refusal-team-size = { $size } Spieler gehen auf den Raubzug, nicht { $chosen }
refusal-on-heist = { $seat-seat-is ->
    [you] du bist auf dem Raubzug; nenne jemanden, der es nicht ist
   *[other] { $seat-seat } ist auf dem Raubzug; nenne jemanden, der es nicht ist
}
refusal-another-turn = das war für Zug { $meant } gedacht, und jetzt ist Zug { $now }
refusal-empty-offer = ein Angebot gibt oder verlangt mindestens 1 Mio. ISK
refusal-too-many-offers = { $most } Angebote in einem Zug sind genug
refusal-no-such-offer = ein solches Angebot gibt es nicht mehr
refusal-other-terms = das Angebot hat sich geändert: Jetzt gibt es { $give ->
    [0] nichts
   *[other] { $give } Mio. ISK
} für { $take ->
    [0] nichts
   *[other] { $take } Mio. ISK
}

# --- So wird gespielt ---

primer-1 = Das Ziel
    .text =
        Hab am Ende die meisten ISK, und scheide nicht wegen deiner Ehre aus. Nur wer noch dabei ist, kann gewinnen, und meist ist es am
        Ende zu wenig Ehre, die einen hinauswirft. Du beginnst mit 7 Ehre; sie fällt nie unter 1 und steigt nie über 13.
primer-2 = Das Team
    .text =
        Einer führt den Raubzug an. Er wählt die Hälfte der Spieler ins Team, aufgerundet, und muss selbst nicht dabei sein.

        Bis das Team steht, darf jeder einem anderen etwas zahlen, oder ISK anbieten und verlangen. Reden darfst du jederzeit, außer in
        einer Partie ohne Gespräch. Zahlungen sind endgültig, und Versprechen binden niemanden. Alle sehen, wer wem zahlt, aber nur die
        beiden sehen, wie viel.
primer-3 = Der Konzern
    .text =
        Dann erpresst, wer den Raubzug anführt, einen der drei Konzerne und nimmt alle ISK, die auf dessen Stapel liegen. Auf die beiden
        anderen Stapel kommen je 2 Mio. ISK. Je tiefer im Stapel, desto mehr sind seine Karten meist wert.
primer-4 = Die Wahl
    .text =
        Jeder im Team wählt geheim: ehrenhaft, um zu teilen, oder unehrenhaft, um zu betrügen. Eine Wahl steht fest, sobald sie
        getroffen ist. Wenn alle gewählt haben, wird alles aufgedeckt.
primer-5 = Die Beute
    .text =
        Zuerst zieht jedes unehrenhafte Mitglied die oberste Karte des Stapels, ohne dass die anderen sie sehen, und behält sie. Dann
        wird für jedes ehrenhafte Mitglied eine Karte aufgedeckt: Die Summe ihrer Werte ist die Beute. Jede aufgedeckte Karte mit einem
        Ereignissymbol zieht außerdem ein Ereignis, das die Beute oder etwas anderes ändert.

        - Sind alle ehrenhaft, bekommt jeder von ihnen die ganze Beute.
        - Ist jemand unehrenhaft, bekommt jedes unehrenhafte Mitglied das Doppelte der Beute und verliert 1 Ehre. Die ehrenhaften
          bekommen keine ISK, aber je 1 Ehre.
        - Sind alle unehrenhaft, wird keine Karte aufgedeckt: Es gibt nichts zu holen, und jeder verliert 1 Ehre.

        Danach führt der nächste Spieler einen Raubzug an.
primer-6 = Das Ende
    .text =
        Unter den letzten Karten jedes Stapels ist seine Schlusskarte. Wird sie für eine Beute aufgedeckt, endet die Partie nach diesem
        Zug, und die Karte sagt, wer ausscheidet. Geheim gezogen, bewirkt sie nichts.

        - Corvid: die mit der niedrigsten Ehre.
        - LeFleur: die mit der höchsten Ehre.
        - Paragon: die mit den zwei niedrigsten Werten an Ehre; zu dritt und zu viert nur die mit dem niedrigsten.

        Die Partie endet auch nach einem Zug, in dem ein Stapel leer wird; dann scheiden die mit der niedrigsten Ehre aus, wenn keine
        Schlusskarte entscheidet. Bevor jemand ausscheidet, werden alle geheim gezogenen Karten aufgedeckt, und jedes Ehrensymbol darauf
        gibt 1 Ehre. Von den Übrigen gewinnt, wer am reichsten ist; bei gleich viel ISK, wer mehr Ehre hat.
