game = R.I.G.S.
    .description = Besiedle eine Kolonie Parzelle um Parzelle, bewirtschafte sie mit Maschinen, handle, überstehe Katastrophen und das Karma deiner Nachbarn, und sei nach fünfzehn Runden am meisten wert.
    .duration = etwa 90 Minuten
    .difficulty = anspruchsvoll

# Titel von Karten stehen in Anführungszeichen, Parzellen nicht.
named = { $title ->
    [Sicher] Sicher
   *[other] { $back ->
        [plot] { $title }
        [survey] { $title }
        [market] { $title }
       *[other] „{ $title }“
    }
}

# --- Orte ---

place-bank = Bank
    .from = aus der Bank
    .to = in die Bank
    .at = in der Bank
place-works = RIGS-Werk
    .from = aus dem Werk
    .to = ins Werk
    .at = im Werk
place-vinnie = Vinnie
    .from = von Vinnie
    .to = an Vinnie
    .at = bei Vinnie
place-warehouse = Lager
    .from = { $owner-is ->
        [you] aus deinem Lager
        [self] aus dem Lager
       *[other] aus dem Lager { $owner-whose }
    }
    .to = { $owner-is ->
        [you] in dein Lager
        [self] ins Lager
       *[other] ins Lager { $owner-whose }
    }
    .at = { $owner-is ->
        [you] in deinem Lager
        [self] im Lager
       *[other] im Lager { $owner-whose }
    }
place-purse = Kasse
    .from = { $owner-is ->
        [you] aus deiner Kasse
        [self] aus der Kasse
       *[other] aus der Kasse { $owner-whose }
    }
    .to = { $owner-is ->
        [you] in deine Kasse
        [self] in die Kasse
       *[other] in die Kasse { $owner-whose }
    }
    .at = { $owner-is ->
        [you] in deiner Kasse
        [self] in der Kasse
       *[other] in der Kasse { $owner-whose }
    }
place-debts = Schulden bei Vinnie
    .from = { $owner-is ->
        [you] von deinen Schulden
        [self] von den Schulden
       *[other] von den Schulden { $owner-whose }
    }
    .to = { $owner-is ->
        [you] zu deinen Schulden
        [self] zu den Schulden
       *[other] zu den Schulden { $owner-whose }
    }
    .at = { $owner-is ->
        [you] bei deinen Schulden
        [self] bei den Schulden
       *[other] bei den Schulden { $owner-whose }
    }
place-wreck = RIGS-Wracks
    .from = { $owner-is ->
        [you] von deinen Wracks
        [self] von den Wracks
       *[other] von den Wracks { $owner-whose }
    }
    .to = { $owner-is ->
        [you] zu deinen Wracks
        [self] zu den Wracks
       *[other] zu den Wracks { $owner-whose }
    }
    .at = { $owner-is ->
        [you] bei deinen Wracks
        [self] bei den Wracks
       *[other] bei den Wracks { $owner-whose }
    }
place-plot-deck = Parzellenstapel
    .from = vom Parzellenstapel
    .to = in den Parzellenstapel
    .at = im Parzellenstapel
place-grant = Landvergabe
    .from = aus der Landvergabe
    .to = in die Landvergabe
    .at = in der Landvergabe
place-owned = Parzellen
    .from = { $owner-is ->
        [you] von deinen Parzellen
        [self] von den Parzellen
       *[other] von den Parzellen { $owner-whose }
    }
    .to = { $owner-is ->
        [you] zu deinen Parzellen
        [self] zu den Parzellen
       *[other] zu den Parzellen { $owner-whose }
    }
    .at = { $owner-is ->
        [you] bei deinen Parzellen
        [self] bei den Parzellen
       *[other] bei den Parzellen { $owner-whose }
    }
place-spots = { $value }felder
    .from = von den { $value }feldern ({ $piece })
    .to = auf die { $value }felder ({ $piece })
    .at = auf den { $value }feldern ({ $piece })
place-on = Vermessung
    .from = von { $piece }
    .to = { $piece }
    .at = auf { $piece }
place-survey-deck = Vermessungsstapel
    .from = vom Vermessungsstapel
    .to = in den Vermessungsstapel
    .at = im Vermessungsstapel
place-disaster-deck = Katastrophenstapel
    .from = vom Katastrophenstapel
    .to = in den Katastrophenstapel
    .at = im Katastrophenstapel
place-front = Diese Runde
    .from = von { $owner-to }
    .to = vor { $owner-them }
    .at = vor { $owner-to }
place-disaster-discard = Vergangene Katastrophen
    .from = von den vergangenen Katastrophen
    .to = zu den vergangenen Katastrophen
    .at = bei den vergangenen Katastrophen
place-karma-deck = Karmastapel
    .from = vom Karmastapel
    .to = in den Karmastapel
    .at = im Karmastapel
place-hand = Karmahand
    .from = { $owner-is ->
        [you] aus deiner Hand
        [self] aus der Hand
       *[other] aus der Hand { $owner-whose }
    }
    .to = { $owner-is ->
        [you] auf deine Hand
        [self] auf die Hand
       *[other] auf die Hand { $owner-whose }
    }
    .at = { $owner-is ->
        [you] auf deiner Hand
        [self] auf der Hand
       *[other] auf der Hand { $owner-whose }
    }
place-in-play = Karma im Spiel
    .from = { $owner-is ->
        [you] von deinen Karten im Spiel
        [self] von den Karten im Spiel
       *[other] von den Karten im Spiel { $owner-whose }
    }
    .to = { $owner-is ->
        [you] zu deinen Karten im Spiel
        [self] zu den Karten im Spiel
       *[other] zu den Karten im Spiel { $owner-whose }
    }
    .at = { $owner-is ->
        [you] bei deinen Karten im Spiel
        [self] bei den Karten im Spiel
       *[other] bei den Karten im Spiel { $owner-whose }
    }
place-awaited = Karma der nächsten Runde
    .from = { $owner-is ->
        [you] von deinen erwarteten Karten
        [self] von den erwarteten Karten
       *[other] von den erwarteten Karten { $owner-whose }
    }
    .to = { $owner-is ->
        [you] zu deinen erwarteten Karten
        [self] zu den erwarteten Karten
       *[other] zu den erwarteten Karten { $owner-whose }
    }
    .at = { $owner-is ->
        [you] bei deinen erwarteten Karten
        [self] bei den erwarteten Karten
       *[other] bei den erwarteten Karten { $owner-whose }
    }
place-stage = { $number ->
    [1] Gespielte Karmakarte
   *[other] Antwort { $number }
}
    .from = von der Bühne
    .to = auf die Bühne
    .at = auf der Bühne
place-karma-discard = Abgelegtes Karma
    .from = vom abgelegten Karma
    .to = zum abgelegten Karma
    .at = beim abgelegten Karma
place-recycled = Auf dem Recycling
    .from = vom Recycling
    .to = auf das Recycling
    .at = auf dem Recycling
place-parts = Im Ersatzteilladen
    .from = aus dem Ersatzteilladen
    .to = in den Ersatzteilladen
    .at = im Ersatzteilladen
place-market-deck = Marktstapel
    .from = vom Marktstapel
    .to = in den Marktstapel
    .at = im Marktstapel
place-price = Preis für Luxus
    .from = vom Preis
    .to = auf den Preis
    .at = auf dem Preis
place-market-discard = Vergangene Preise
    .from = von den vergangenen Preisen
    .to = zu den vergangenen Preisen
    .at = bei den vergangenen Preisen
place-end-market-deck = Endmarktstapel
    .from = vom Endmarktstapel
    .to = in den Endmarktstapel
    .at = im Endmarktstapel
place-value = Wert: { $value }
    .from = vom Wert ({ $value })
    .to = auf den Wert ({ $value })
    .at = auf dem Wert ({ $value })
place-notes = Notierte Credits
    .from = von den Credits { $other-whose }
    .to = die Credits { $other-whose }
    .at = bei den Credits { $other-whose }
    .with-other = Notiert von { $other-to }
place-notepad = Notizblock
    .from = vom Notizblock
    .to = auf den Notizblock
    .at = auf dem Notizblock

# --- Münzen und Rückseiten ---

coin-unit = { $value }
    .help = { $value-key ->
        [energy] Versorgt Parzellen: je Runde eine für jede Parzelle.
        [supply] Bezahlt das Versetzen von RIGS und Vermessungen.
        [metal] Zwei Einheiten bauen ein RIGS.
       *[luxury] Wird auf dem Markt verkauft und nirgends sonst.
    }
    .amount = { $amount } { $value }
    .some = etwas { $value }
coin-credit = Credits
    .help = Geld. Wer am Ende in Credits am meisten wert ist, gewinnt.
    .amount = { $amount ->
        [one] { $amount } Credit
       *[other] { $amount } Credits
    }
    .some = einige Credits
coin-rig = RIGS
    .help = Eine Maschine: Auf einem Feld einer laufenden Parzelle macht sie jede Runde eine Einheit.
    .amount = { $amount } RIGS
    .some = einige RIGS
coin-script = Schuldschein ({ $value })
    .help = Eine Schuld bei Vinnie: getilgt mit zwei Einheiten { $value }, am Ende mit vier.
    .amount = { $amount ->
        [one] { $amount } Schuldschein ({ $value })
       *[other] { $amount } Schuldscheine ({ $value })
    }
    .some = einige Schuldscheine ({ $value })
coin-counted = Notierte Credits
    .help = Die Credits eines anderen Platzes, wie sie waren, als sie zu sehen waren.
    .amount = { $amount ->
        [one] { $amount } Credit
       *[other] { $amount } Credits
    }
    .some = einige Credits
back-plot = Parzelle
    .counted = { $count ->
        [one] eine Parzelle
       *[other] { $count } Parzellen
    }
back-survey = Vermessung
    .counted = { $count ->
        [one] eine Vermessung
       *[other] { $count } Vermessungen
    }
back-disaster = Katastrophe
    .counted = { $count ->
        [one] eine Katastrophe
       *[other] { $count } Katastrophen
    }
back-karma = Karma
    .counted = { $count ->
        [one] eine Karmakarte
       *[other] { $count } Karmakarten
    }
back-market = Markt
    .counted = { $count ->
        [one] eine Marktkarte
       *[other] { $count } Marktkarten
    }

# --- Was sich bewegt ---

moved-revealed = { $seat-is ->
    [you] nimmst { $what } aus der Landvergabe
   *[other] nimmt { $what } aus der Landvergabe
}
moved-taken = { $verb ->
    [accept] { $seat-is ->
        [you] bekommst { $what } von { $giver-to }
       *[other] bekommt { $what } von { $giver-to }
    }
   *[other] { $seat-is ->
        [you] nimmst { $what } { $from }
       *[other] nimmt { $what } { $from }
    }
}
moved-given = { $verb ->
    [pass] { $seat-is ->
        [you] verlierst { $what } an { $taker-them }
       *[other] verliert { $what } an { $taker-them }
    }
   *[other] { $acting ->
        [yes] { $seat-is ->
            [you] gibst { $taker-to } { $what }
           *[other] gibt { $taker-to } { $what }
        }
       *[no] { $seat-is ->
            [you] verlierst { $what } an { $taker-them }
           *[other] verliert { $what } an { $taker-them }
        }
    }
}
moved-plot-deck-grant = { $seat-is ->
    [you] ziehst { $what } für die Landvergabe
   *[other] zieht { $what } für die Landvergabe
}
moved-survey-deck-on = { $to } wird vermessen: { $what }
    .does = { $seat-is ->
        [you] lässt { $to } vermessen: { $what }
       *[other] lässt { $to } vermessen: { $what }
    }
moved-on-on = die Vermessung von { $to } lautet jetzt: { $what }
moved-on-survey-deck = die Vermessung { $at } kommt zurück in den Vermessungsstapel
moved-disaster-deck-front = { $what ->
    [Sicher] { $seat-is ->
        [you] bleibst verschont
       *[other] bleibt verschont
    }
   *[other] { $seat-is ->
        [you] bekommst { $what }
       *[other] bekommt { $what }
    }
}
moved-front-disaster-discard = {""}
moved-disaster-discard-disaster-deck = die vergangenen Katastrophen werden zum neuen Stapel
moved-karma-deck-hand = { $seat-is ->
    [you] ziehst { $what }
   *[other] zieht { $what }
}
moved-karma-discard-karma-deck = das abgelegte Karma wird zum neuen Stapel
moved-hand-karma-discard = { $verb ->
    [play] { $first ->
        [yes] { $seat-is ->
            [you] spielst { $what }
           *[other] spielt { $what }
        }
       *[no] { $seat-is ->
            [you] legst { $what } ab
           *[other] legt { $what } ab
        }
    }
   *[other] { $seat-is ->
        [you] legst { $what } ab
       *[other] legt { $what } ab
    }
}
moved-hand-stage = { $seat-is ->
    [you] spielst { $what }
   *[other] spielt { $what }
}
moved-hand-in-play = { $seat-is ->
    [you] bringst { $what } ins Spiel
   *[other] bringt { $what } ins Spiel
}
moved-hand-front = { $seat-is ->
    [you] spielst { $what }
   *[other] spielt { $what }
}
moved-hand-price = { $seat-is ->
    [you] spielst { $what }
   *[other] spielt { $what }
}
moved-hand-on = { $seat-is ->
    [you] spielst { $what } auf { $to }
   *[other] spielt { $what } auf { $to }
}
moved-stage-front = { $seat-is ->
    [you] wirst von { $what } getroffen
   *[other] wird von { $what } getroffen
}
moved-stage-on = { $what } wirkt auf { $to }
moved-stage-hand = { $seat-is ->
    [you] bekommst { $what } zurück
   *[other] bekommt { $what } zurück
}
moved-stage-awaited = { $seat-is ->
    [you] erhältst { $what } zu Beginn der nächsten Runde
   *[other] erhält { $what } zu Beginn der nächsten Runde
}
moved-awaited-hand = „Identitätsdiebstahl“ kommt { $to }
moved-stage-karma-discard = {""}
moved-in-play-karma-discard = { $seat-is ->
    [you] legst { $what } ab
   *[other] legt { $what } ab
}
moved-front-karma-discard = {""}
moved-on-karma-discard = {""}
moved-price-karma-discard = {""}
moved-market-deck-price = {""}
moved-price-market-discard = {""}
moved-end-market-deck-market-deck = {""}
moved-end-market-deck-value = {""}

# --- Was gezahlt, gemacht und verloren wird ---

paid-taken-from = { $verb ->
    [accept] { $seat-is ->
        [you] bekommst { $what } von { $giver-to }
       *[other] bekommt { $what } von { $giver-to }
    }
    [pass] { $seat-is ->
        [you] bekommst { $what } von { $giver-to }
       *[other] bekommt { $what } von { $giver-to }
    }
   *[other] { $seat-is ->
        [you] nimmst { $giver-to } { $what } ab
       *[other] nimmt { $giver-to } { $what } ab
    }
}
paid-to = { $seat-is ->
    [you] gibst { $taker-to } { $what }
   *[other] gibt { $taker-to } { $what }
}
paid-unit-bank-warehouse = { $verb ->
    [borrow] { $seat-is ->
        [you] leihst dir { $what } von Vinnie
       *[other] leiht sich { $what } von Vinnie
    }
   *[other] { $phase ->
        [production] { $seat-is ->
            [you] produzierst { $what }
           *[other] produziert { $what }
        }
       *[other] { $seat-is ->
            [you] bekommst { $what }
           *[other] bekommt { $what }
        }
    }
}
paid-unit-warehouse-bank = { $verb ->
    [move] {""}
    [survey] {""}
    [build] { $seat-is ->
        [you] zahlst { $what }
       *[other] zahlt { $what }
    }
    [repay] { $seat-is ->
        [you] zahlst Vinnie { $what }
       *[other] zahlt Vinnie { $what }
    }
    [sell] { $seat-is ->
        [you] verkaufst { $what }
       *[other] verkauft { $what }
    }
   *[other] { $phase ->
        [production] { $seat-is ->
            [you] verbrauchst { $what } für Strom
           *[other] verbraucht { $what } für Strom
        }
       *[other] { $seat-is ->
            [you] verlierst { $what }
           *[other] verliert { $what }
        }
    }
}
paid-unit-warehouse-stage = { $seat-is ->
    [you] legst { $what } beiseite
   *[other] legt { $what } beiseite
}
paid-unit-stage-warehouse = { $seat-is ->
    [you] bekommst { $what }
   *[other] bekommt { $what }
}
paid-script-bank-vinnie = {""}
paid-script-vinnie-debts = {""}
paid-script-debts-vinnie = { $seat-is ->
    [you] wirst { $what } los
   *[other] wird { $what } los
}
paid-rig-bank-works = {""}
paid-rig-works-warehouse = { $amount ->
    [one] { $seat-is ->
        [you] bekommst ein neues RIGS
       *[other] bekommt ein neues RIGS
    }
   *[other] { $seat-is ->
        [you] bekommst { $what }
       *[other] bekommt { $what }
    }
}
paid-rig-warehouse-spots = { $seat-is ->
    [you] versetzt { $what } { $from } { $to }
   *[other] versetzt { $what } { $from } { $to }
}
paid-rig-spots-warehouse = { $verb ->
    [move] { $seat-is ->
        [you] versetzt { $what } { $from } { $to }
       *[other] versetzt { $what } { $from } { $to }
    }
   *[other] { $seat-is ->
        [you] bekommst { $what } { $from }
       *[other] bekommt { $what } { $from }
    }
}
paid-rig-spots-spots = { $what } { $amount ->
    [one] kommt
   *[other] kommen
} { $from } { $to }
    .does = { $seat-is ->
        [you] versetzt { $what } { $from } { $to }
       *[other] versetzt { $what } { $from } { $to }
    }
paid-rig-spots-wreck = { $seat-is ->
    [you] verlierst { $what } { $from }
   *[other] verliert { $what } { $from }
}
paid-rig-warehouse-wreck = { $seat-is ->
    [you] verlierst { $what } { $from }
   *[other] verliert { $what } { $from }
}
paid-rig-wreck-works = {""}
paid-rig-wreck-recycled = { $seat-is ->
    [you] legst { $what } auf „Recycling“
   *[other] legt { $what } auf „Recycling“
}
paid-rig-wreck-parts = { $seat-is ->
    [you] legst { $what } in den „Ersatzteilladen“
   *[other] legt { $what } in den „Ersatzteilladen“
}
paid-rig-recycled-works = {""}
paid-rig-parts-works = { $what } darauf { $amount ->
    [one] ist
   *[other] sind
} verloren
paid-rig-parts-warehouse = { $seat-is ->
    [you] bekommst { $what } aus dem „Ersatzteilladen“
   *[other] bekommt { $what } aus dem „Ersatzteilladen“
}
paid-counted-notepad-notes = { $seat-is ->
    [you] siehst { $to }
   *[other] sieht { $to }
}
paid-counted-notes-notepad = {""}
turn-again = { $seat-is ->
    [you] Du hast den ersten Zug
   *[other] { $seat } hat den ersten Zug
}
table-phase = { $phase }
phase-began = Die { $phase } beginnt
table-turn = { $phase ->
    [player] { $seat-is ->
        [you] du bist am Zug
       *[other] { $seat } ist am Zug
    }
   *[other] {""}
}
offer-closed = { $verb ->
    [accept] {""}
    [withdraw] {""}
    [offer] {""}
   *[other] { $seat-is ->
        [you] dein Angebot ist vom Tisch
       *[other] das Angebot { $seat-whose } ist vom Tisch
    }
}

# --- Markierungen ---

mark-leader = Expeditionsleitung
    .help = Die Expeditionsleitung hat den ersten Zug, nimmt die erste Parzelle einer Landvergabe und teilt die Katastrophen aus.
mark-land-moved = Land hat gewechselt
    .help = Eine Parzelle hat den Besitzer gewechselt, seit die Expeditionsleitung bestimmt wurde.
mark-ready = Bereit
    .help = Hat vorerst nichts mehr zu tun.
mark-dealt = Ausgeteilt
    .help = In der Landvergabe 1, wenn die Parzelle gezogen ist. In der Katastrophenphase 1, wenn die Katastrophe noch eine Karmakarte bringt, 2, wenn sie abgehandelt ist.
mark-borrowed = In dieser Phase geliehen
    .help = Einheiten, die Vinnie in dieser Phase geliehen hat; höchstens eine je Parzelle.
mark-tinkered = Ersatzteilladen benutzt
    .help = Für den Ersatzteilladen wurde in dieser Runde gewürfelt.
mark-due = Noch offen
    .help = Wie viele RIGS, Karmakarten oder Einheiten noch zu verlieren, abzulegen oder zu bekommen sind.
mark-powered = Mit Energie
    .help = Die Parzelle bekommt in dieser Runde Energie.
marked-powered = { $verb ->
    [power] { $amount ->
        [0] { $piece } bekommt keine Energie
       *[other] { $piece } bekommt Energie
    }
   *[other] {""}
}
mark-last-called = Der letzte Aufruf ist erfolgt
    .help = Die Produktion steht fest; nur Karma kann sie noch ändern.
mark-sent-to = Umgeleitete Produktion geht an
    .help = Wer bekommt, was die Parzelle mit „WOHIN hast du das geschickt?!“ in dieser Runde macht.
marked-sent-to = { $now-key ->
    [none] {""}
   *[other] was sie macht, geht an { $now-them }
}
mark-lost = Letzter Verlust: { $value }
    .help = Einheiten des letzten Verlusts durch eine Katastrophe, Zerstörung oder Sabotage.
mark-lost-karma = Letzter Verlust: Karma
    .help = Karmakarten des letzten Verlusts, wenn es einer von Karten war.
mark-lost-both = Zusammen verloren
    .help = Diese Karmakarten und diese Einheiten gingen zugleich verloren.
mark-worth = Wert: { $value }
    .help = Was eine Einheit am Ende wert ist, in Credits.
mark-by = { $number ->
    [1] Gespielt von
   *[other] Antwort { $number } von
}
    .help = Wer die Karmakarte an dieser Stelle der Bühne gespielt hat.
mark-victim = { $number ->
    [1] Gespielt gegen
   *[other] Antwort { $number } gegen
}
    .help = Gegen wen sie gespielt ist.
mark-aimed = { $number ->
    [1] Gespielt auf
   *[other] Antwort { $number } auf
}
    .help = Die Parzelle, auf die sie gespielt ist.
mark-aimed-too = { $number ->
    [1] Gespielt auch auf
   *[other] Antwort { $number } auch auf
}
    .help = Die andere Parzelle, auf die sie gespielt ist.
mark-sort = { $number ->
    [1] Gespielt für
   *[other] Antwort { $number } für
}
    .help = Der Rohstoff, für den sie gespielt ist.
mark-guarded = Wache gewürfelt
    .help = Von den Karten im Spiel, die gegen die Sabotage würfeln: 1, wenn sie nicht geholfen haben, 2, wenn doch.
mark-offers = Angebote gemacht
    .help = Angebote in diesem Zug oder dieser Phase.
mark-unreadied = Doch nicht bereit
    .help = Wie oft in dieser Phase die Bereitschaft zurückgenommen wurde.
mark-shows = Gezeigt
    .help = Wie oft in diesem Zug oder dieser Phase Karten oder Credits gezeigt wurden.
mark-touched = Betroffen
    .help = Dem Platz ist etwas geschehen, seit er zuletzt bereit war oder gepasst hat.
mark-unrolled = Noch einsetzbar: { $value }
    .help = Einheiten, die beim Pokerabend noch eingesetzt werden können: damals im Besitz und noch nicht ausgewürfelt.

# --- Entscheidungen ---

decision-grant = eine Parzelle der Landvergabe nehmen
decision-grant-to = bestimmen, wer die nächste Parzelle zieht
decision-turn = einen Zug machen: bauen, versetzen, vermessen, handeln, Karma spielen oder bereit sein
decision-interrupt = Karma spielen oder handeln
decision-discard = bis auf fünf Karmakarten ablegen
decision-deal = bestimmen, wer die nächste Katastrophe bekommt
decision-exchange = über den Tausch einer Karmakarte entscheiden
decision-lose-rigs = ein RIGS wählen, das verloren geht
decision-produce = Parzellen mit Energie versorgen oder bereit sein
decision-call-last = zum letzten Mal aufrufen
decision-final = über Karma zu dieser Produktion entscheiden
decision-readjust = neu wählen, welche Parzellen Energie bekommen
decision-draw = bestimmen, wer die Marktkarte zieht
decision-sell = über den Verkauf von Luxus entscheiden
decision-react = über eine Antwort auf die Sabotage entscheiden
decision-give-decoy = über eine Antwort auf den Diebstahl einer Karmakarte entscheiden
decision-take-card = eine Karte aus der offenen Hand nehmen
decision-discard-theirs = eine Karte aus der offenen Hand ablegen
decision-throw = wählen, welche Rohstoffe verloren gehen
decision-match = eine Karmakarte ablegen, um den Verlust zu teilen
decision-gain = wählen, welche Rohstoffe dazukommen
decision-salvage = die Karte wählen, auf die ein verlorenes RIGS kommt
decision-send = wählen, wohin das nächste RIGS der Parzelle kommt
decision-new-owner = bestimmen, wem die Parzelle nun gehört
decision-share = bestimmen, wer die nächste Einheit bekommt
decision-robbed = drei Karmakarten ziehen oder auf die Karte des Diebs warten
decision-raise = über den Einsatz weiterer Rohstoffe entscheiden
decision-trade-in = über den Tausch einer Karte gegen ein RIGS entscheiden
decision-retrieve = über ein RIGS aus dem Ersatzteilladen entscheiden

# --- Aktionen ---

verb-grant = Landvergabe
    .help = Nimmt eine Parzelle der Landvergabe. Die anderen ziehen ihre, gegebenenfalls in der genannten Reihenfolge.
    .label = { $plot } aus der Landvergabe nehmen{ $order-count ->
        [0] {""}
       *[other] , danach ziehen { $order } in dieser Reihenfolge
    }
    .short = { $plot }{ $order-count ->
        [0] {""}
       *[other] , dann { $order }
    }
verb-name = Bestimmen
    .help = Bestimmt jemanden: wer als Nächstes zieht oder an der Reihe ist, oder wer etwas bekommt.
    .label = { $seat-seat-is ->
        [you] Dich selbst bestimmen
       *[other] { $seat-seat-them } bestimmen
    }
    .does = {""}
verb-build = Bauen
    .help = Baut ein RIGS für zwei Metall.
    .label = Ein RIGS für 2 Metall bauen
verb-move = Versetzen
    .help = Versetzt ein RIGS für einen Nachschub.
    .label = Ein RIGS versetzen: { $from } → { $to }
    .short = { $from } → { $to }
verb-survey = Vermessen
    .help = Vermisst eine Parzelle für einen Nachschub.
    .label = { $plot } vermessen
verb-borrow = Leihen
    .help = Leiht eine Einheit von Vinnie, die doppelt zurückzuzahlen ist.
    .label = 1 { $resource } von Vinnie leihen
verb-repay = Tilgen
    .help = Zahlt Vinnie zwei Einheiten für einen Schuldschein.
    .label = Einen Schuldschein ({ $resource }) mit 2 { $resource } tilgen
    .short = Schuldschein ({ $resource }) tilgen
verb-offer = Angebot
    .help = Bietet einen Handel an; ein früheres eigenes Angebot entfällt.
    .label = { $to-seat-to } { $give } gegen { $take } bieten
verb-withdraw = Zurückziehen
    .help = Nimmt das eigene Angebot zurück.
    .label = Dein Angebot zurückziehen
    .does = { $seat-is ->
        [you] ziehst das Angebot zurück
       *[other] zieht das Angebot zurück
    }
verb-accept = Annehmen
    .help = Nimmt ein Angebot an; es wird sofort ausgeführt.
    .label = Das Angebot { $by-seat-whose } annehmen
    .does = { $seat-is ->
        [you] nimmst den Handel an
       *[other] nimmt den Handel an
    }
verb-refuse = Ablehnen
    .help = Lehnt ein Angebot ab.
    .label = Das Angebot { $by-seat-whose } ablehnen
    .does = { $seat-is ->
        [you] lehnst ab
       *[other] lehnt ab
    }
verb-play = Spielen
    .help = Spielt eine Karmakarte.
    .label = { $card }{ $aim ->
        [seat] {" "}gegen { $seat-seat-them } spielen
        [plot] {" "}auf { $plot } spielen
        [plots] {" "}auf { $plots } spielen
        [resource] {" "}für { $resource } spielen
        [spots] {" "}spielen: { $spots }
        [swap] {" "}spielen: { $swap }
        [stake] {" "}spielen und { $stake } einsetzen
        [loss] {" "}spielen: { $loss }
       *[none] {" "}spielen
    }
    .short = { $card }{ $aim ->
        [seat] : { $seat-seat-them }
        [plot] : { $plot }
        [plots] : { $plots }
        [resource] : { $resource }
        [spots] : { $spots }
        [swap] : { $swap }
        [stake] : { $stake }
        [loss] {" "}{ $loss }
       *[none] {""}
    }
verb-cash = Einlösen
    .help = Legt das Recycling für je ein Metall pro RIGS darauf ab.
    .label = Recycling gegen Metall ablegen
verb-tinker = Basteln
    .help = Würfelt um ein RIGS im Ersatzteilladen.
    .label = Für den Ersatzteilladen würfeln
    .does = { $seat-is ->
        [you] versuchst es im Ersatzteilladen
       *[other] versucht es im Ersatzteilladen
    }
verb-discard = Ablegen
    .help = Legt eine Karmakarte ab.
    .label = { $card } ablegen
verb-take = Nehmen
    .help = Nimmt eine Karmakarte aus einer anderen Hand.
    .label = { $card } nehmen
verb-salvage = Bergen
    .help = Wählt die Karte im Spiel, auf die ein verlorenes RIGS kommt.
    .label = Ein verlorenes RIGS auf { $card } legen
verb-lose = Verlieren
    .help = Verliert ein RIGS.
    .label = Ein RIGS verlieren: { $from }
verb-throw = Wegwerfen
    .help = Wählt, welche Rohstoffe verloren gehen.
    .label = { $units } verlieren
verb-gain = Bekommen
    .help = Bekommt Rohstoffe nach Wahl.
    .label = { $units } bekommen
verb-send = Schicken
    .help = Wählt, wohin ein RIGS kommt.
    .label = Das RIGS schicken: { $to }
verb-draw-three = Drei ziehen
    .help = Zieht nach dem Identitätsdiebstahl drei Karmakarten.
    .label = Drei Karmakarten ziehen
verb-receive = Erhalten
    .help = Erhält den Identitätsdiebstahl zu Beginn der nächsten Runde.
    .label = „Identitätsdiebstahl“ zu Beginn der nächsten Runde erhalten
    .short = Auf Identitätsdiebstahl warten
verb-power = Versorgen
    .help = Wählt, welche Parzellen Energie bekommen.
    .label = { $plots-count ->
        [0] Keine Parzelle mit Energie versorgen
       *[other] { $plots } mit Energie versorgen
    }
verb-last-call = Letzter Aufruf
    .help = Ruft zum letzten Mal auf.
    .label = Zum letzten Mal aufrufen
verb-sell = Verkaufen
    .help = Verkauft Luxus zum Preis der Runde.
    .label = { $amount } Luxus verkaufen
verb-ready = Bereit
    .help = Hat in diesem Zug oder dieser Phase nichts mehr zu tun.
    .label = Bereit sein
    .does = { $seat-is ->
        [you] bleibst bei dieser Versorgung
       *[other] bleibt bei dieser Versorgung
    }
verb-unready = Nicht bereit
    .help = Nimmt die Bereitschaft zurück.
    .label = Doch nicht bereit sein
verb-pass = Passen
    .help = Tut nichts.
    .label = Passen
    .does = { $seat-is ->
        [you] passt
       *[other] passt
    }
verb-raise = Erhöhen
    .help = Setzt beim Pokerabend weitere Rohstoffe ein.
    .label = Weiter einsetzen: { $units }
verb-show = Zeigen
    .help = Zeigt einigen oder allen Karmakarten oder Credits.
    .label = { $to-count ->
        [0] Allen
       *[other] { $to }
    } { $cards-count ->
        [0] deine Credits
       *[other] { $cards }{ $credits ->
            [yes] {" "}und deine Credits
           *[no] {""}
        }
    } zeigen
    .does = { $seat-is ->
        [you] deckst etwas auf
       *[other] deckt etwas auf
    }
verb-claim = Abholen
    .help = Nimmt das RIGS, das eine Karmakarte im Spiel bringt.
    .label = Das RIGS nehmen
verb-series = Mehrere Antworten
    .help = Beantwortet dieselbe Frage mehrmals auf einmal, der Reihe nach.
    .label = Der Reihe nach: { $answers }
    .short = { $answers }
    .does = {""}

part-location = { $at ->
    [warehouse] { $warehouse-seat-is ->
        [you] dein Lager
       *[other] Lager { $warehouse-seat-whose }
    }
   *[spot] { $spot }
}
part-spot = { $resource }felder von { $plot }
part-plots = { $plot } und { $other }
part-swap = { $give } gegen { $take }
part-loss = gegen { $victim-seat-them }{ $units ->
    [nichts] { $cards-count ->
        [0] , für deinen letzten Verlust
       *[other] , und { $cards } ablegen
    }
   *[other] , und { $units }{ $cards-count ->
        [0] {""}
       *[other] {" "}und { $cards }
    } opfern
}
part-bundle =
    .units = { $units }
    .credits = { $credits ->
        [one] { $credits } Credit
       *[other] { $credits } Credits
    }
    .plots = { $plots }
    .rigs = { $rigs } RIGS
    .scripts = Schuldscheine ({ $scripts })
part-resources =
    .energy = { $energy } Energie
    .supply = { $supply } Nachschub
    .metal = { $metal } Metall
    .luxury = { $luxury } Luxus

# --- Ansagen ---

announcement-begins = {""}
announcement-leads =
    .does = { $seat-is ->
        [you] übernimmst die Expeditionsleitung
       *[other] übernimmt die Expeditionsleitung
    }
announcement-is-ready =
    .does = { $seat-is ->
        [you] bist bereit
       *[other] ist bereit
    }
announcement-is-not-ready =
    .does = { $seat-is ->
        [you] bist doch nicht bereit
       *[other] ist doch nicht bereit
    }
announcement-last-call =
    .sentence = Es ergeht der letzte Aufruf
announcement-unaffected =
    .does = { $seat-is ->
        [you] bist nicht betroffen
       *[other] ist nicht betroffen
    }
announcement-averted = die Sabotage bleibt ohne Wirkung
announcement-taken-over =
    .does = { $seat-is ->
        [you] übernimmst die Sabotage
       *[other] übernimmt die Sabotage
    }
announcement-returned =
    .does = { $seat-is ->
        [you] spielst in dieser Runde keine Sabotage mehr
       *[other] spielt in dieser Runde keine Sabotage mehr
    }
announcement-wasted =
    .does = { $seat-is ->
        [you] kannst { $amount } Energie nicht speichern
       *[other] kann { $amount } Energie nicht speichern
    }
announcement-price =
    .sentence = Luxus bringt { $amount ->
        [one] { $amount } Credit
       *[other] { $amount } Credits
    } je Einheit
announcement-land-value =
    .sentence = { $value-key ->
        [plains] Jede Ebene
        [valley] Jedes Tal
        [forest] Jeder Wald
        [desert] Jede Wüste
       *[ridge] Jeder Grat
    } ist { $amount ->
        [one] { $amount } Credit
       *[other] { $amount } Credits
    } wert
announcement-unit-value =
    .sentence = Jede Einheit { $value } ist { $amount ->
        [one] { $amount } Credit
       *[other] { $amount } Credits
    } wert
# Die Punkte nennen Teil für Teil, wie viel jeder wert ist.
announcement-plots-worth = {""}
    .title = Parzellen
announcement-stock-worth = {""}
    .title = Rohstoffe
announcement-credits-held = {""}
    .title = Credits
announcement-owes = {""}
    .title = Schulden
announcement-on-seat =
    .adds = gegen { $seat-them }
announcement-on-plot =
    .adds = auf { $piece }
announcement-on-resource =
    .adds = für { $value }
announcement-powers =
    .does = { $amount ->
        [0] { $seat-is ->
            [you] versorgst keine Parzelle mit Energie
           *[other] versorgt keine Parzelle mit Energie
        }
        [one] { $seat-is ->
            [you] versorgst { $amount } Parzelle mit Energie
           *[other] versorgt { $amount } Parzelle mit Energie
        }
       *[other] { $seat-is ->
            [you] versorgst { $amount } Parzellen mit Energie
           *[other] versorgt { $amount } Parzellen mit Energie
        }
    }
announcement-price-for-seat =
    .sentence = { $seat-is ->
        [you] Du verkaufst Luxus in dieser Runde für je { $amount } Credits
       *[other] { $seat } verkauft Luxus in dieser Runde für je { $amount } Credits
    }
announcement-shows-credits =
    .does = { $seat-is ->
        [you] zeigst allen { $amount ->
                [one] { $amount } Credit
               *[other] { $amount } Credits
            }
       *[other] zeigt allen { $amount ->
                [one] { $amount } Credit
               *[other] { $amount } Credits
            }
    }

phase-player = Spielerphase
phase-disaster = Katastrophenphase
phase-production = Produktionsphase
phase-market = Marktphase

# --- Merkmale und Werte ---

facet-land = Land
facet-energy = Energiefelder
facet-supply = Nachschubfelder
facet-metal = Metallfelder
facet-luxury = Luxusfelder
facet-end-market-cards = Endmarktkarten
facet-kind = Art
facet-played-in = Spielbar in
facet-target = Ziel
facet-class = Klasse
facet-value = Wert
value-energy = Energie
value-supply = Nachschub
value-metal = Metall
value-luxury = Luxus
value-plains = Ebene
value-valley = Tal
value-forest = Wald
value-desert = Wüste
value-ridge = Grat
value-destruction = Zerstörung
value-sabotage = Sabotage
value-wealth = Reichtum
value-protection = Schutz
value-player = Spielerphase
value-disaster = Katastrophenphase
value-production = Produktionsphase
value-last-call = Letzter Aufruf
value-market = Marktphase
value-reaction = Als Antwort
value-one = Ein Opfer
value-many = Mehrere
value-all = Alle
value-self = Du selbst
value-special = Der Preis für alle
value-karma-card = Eine Karmakarte
value-low = Niedrig
value-normal = Normal
value-high = Hoch
value-spike = Spitze

# --- Parzellen, Vermessungen und Marktkarten ---

piece-plains = Ebene { $copy }
    .text = Felder: { $energy } für Energie, { $supply } für Nachschub oder { $metal } für Metall. Wert: eine Endmarktkarte.
piece-valley = Tal { $copy }
    .text = Felder: { $energy } für Energie, { $supply } für Nachschub oder { $metal } für Metall. Wert: eine Endmarktkarte.
piece-forest = Wald { $copy }
    .text = Felder: { $energy } für Energie, { $supply } für Nachschub oder { $metal } für Metall. Wert: zwei Endmarktkarten.
piece-desert = Wüste { $copy }
    .text = Felder: { $energy } für Energie, { $supply } für Nachschub oder { $metal } für Metall. Wert: zwei Endmarktkarten.
piece-ridge = Grat { $copy }
    .text = Felder: { $energy } für Energie, { $supply } für Nachschub oder { $metal } für Metall. Wert: zwei Endmarktkarten.
piece-0-yield-survey = kein Luxusfeld
piece-1-yield-survey = 1 Luxusfeld
piece-2-yield-survey = 2 Luxusfelder
piece-3-yield-survey = 3 Luxusfelder
piece-market-low = Markt niedrig { $value }
piece-market-normal = Markt normal { $value }
piece-market-high = Markt hoch { $value }
piece-market-spike = Markt Spitze { $value }

# --- Katastrophen ---

piece-safe = Sicher
    .text = Nichts geschieht. Du darfst eine Karmakarte tauschen.
piece-unexpected-spoilage = Unerwarteter Verderb
    .text = Du verlierst die Hälfte deines Nachschubs, aufgerundet; hast du keinen, ein RIGS. Du ziehst eine Karmakarte.
piece-massive-solar-flare = Gewaltige Sonneneruption
    .text = Du verlierst all deine Energie; hast du keine, ein RIGS. Du ziehst eine Karmakarte.
piece-out-in-the-acid-rain = Im (sauren) Regen!
    .text = Du verlierst die Hälfte deines Metalls, aufgerundet; hast du keines, ein RIGS. Du ziehst eine Karmakarte.
piece-raid = Überfall!
    .text = Du verlierst all deinen Luxus. Hattest du welchen, ziehst du eine Karmakarte.
piece-solar-eclipse = Sonnenfinsternis!
    .text = Deine Wüsten machen in dieser Runde keine Energie; hast du keine Wüste, verlierst du ein RIGS. Du ziehst eine Karmakarte.
piece-seasonal-hell = Höllische Jahreszeit
    .text = Auf jedem deiner Täler arbeitet in dieser Runde nur ein RIGS; hast du kein Tal, verlierst du ein RIGS. Du ziehst eine Karmakarte.
piece-theft = Diebstahl!
    .text = Du verlierst die Hälfte deines Luxus, aufgerundet. Hattest du welchen, ziehst du eine Karmakarte.
piece-corrosive-cloud = Ätzende Wolke!
    .text = Du verlierst all dein Metall; hast du keines, ein RIGS. Du ziehst eine Karmakarte.
piece-infestation = Ungeziefer!
    .text = Deine Parzellen machen in dieser Runde keinen Nachschub; hast du kein RIGS auf Nachschub, verlierst du ein RIGS. Du ziehst eine Karmakarte.
piece-battery-failure = Batterieausfall
    .text = Du verlierst all deine Energie. Hattest du welche, ziehst du eine Karmakarte.
piece-battery-charger-failure = Ladegerät defekt
    .text = Energie, die du in dieser Runde machst und nicht verbrauchst, geht verloren. Hast du RIGS auf Energie, ziehst du eine Karmakarte.
piece-energy-junction-failure = Verteiler defekt
    .text = Energie, die du in dieser Runde machst, versorgt keine Parzellen. Hast du RIGS auf Energie, ziehst du eine Karmakarte.

# --- Karma: Zerstörung ---

piece-missing-support = ‚Verschwundene‘ Stütze
    .text = Dein Opfer verliert ein RIGS deiner Wahl.
piece-bad-os-revision = Fehlerhafte Systemversion
    .text = Dein Opfer verliert die Hälfte seiner RIGS, aufgerundet, und zieht zwei Karmakarten.
piece-wrong-manual = Falsches Handbuch
    .text = Dein Opfer verliert ein RIGS seiner Wahl.
piece-eye-for-an-eye = Auge um Auge
    .text = Eine zufällige Karte aus der Karmahand deines Opfers wird abgelegt.
piece-not-that-one = Nicht DIE da
    .text = Du siehst die Karmahand deines Opfers durch und legst eine ihrer Karten ab.
piece-i-aint-going-alone = Ich gehe nicht allein
    .text = Dein Opfer verliert dieselben Rohstoffe oder ebenso viele Karmakarten, wie du zuletzt verloren hast, soweit es sie hat. Stattdessen darfst du jetzt welche opfern, und es muss gleichziehen.
piece-accidental-dumping = ‚Versehentlich‘ entsorgt
    .text = Dein Opfer verliert allen Luxus in seinem Lager.
piece-left-the-light-on = Licht angelassen
    .text = Dein Opfer verliert die Hälfte der Energie in seinem Lager, aufgerundet.
piece-da-roof-is-on-fire = Das Dach brennt!
    .text = Dein Opfer verliert alle Rohstoffe in seinem Lager und zieht für je angefangene zehn davon eine Karmakarte.
piece-rough-storm = Schwerer Sturm
    .text = Alle würfeln, auch du: Eine 6 bleibt ohne Folgen; wer weniger würfelt, verliert ebenso viele Rohstoffe oder alle, wenn es zu wenige sind, und zieht für einen Verlust eine Karmakarte.
piece-blowout = Explosion!
    .text = Dein Opfer verliert alle RIGS auf einer Parzelle deiner Wahl und zieht eine Karmakarte.

# --- Karma: Sabotage ---

piece-give-me-that = Gib her!
    .text = Du nimmst eine zufällige Karte aus der Karmahand deines Opfers auf die Hand.
piece-identity-theft = Identitätsdiebstahl
    .text = Du tauschst die Credits mit deinem Opfer, das dann drei Karmakarten zieht oder diese zu Beginn der nächsten Runde bekommt.
piece-incorrect-drivers = Falsche Treiber
    .text = Die RIGS auf einer Parzelle deiner Wahl machen in dieser Runde nichts.
piece-ill-take-that = DAS nehme ich!
    .text = Du siehst die Karmahand deines Opfers durch und nimmst eine ihrer Karten auf die Hand.
piece-i-want-that = DAS WILL ICH!
    .text = Du wählst einen Rohstoff. Alle anderen, die welchen haben, würfeln und geben dir ebenso viel davon, oder alles, wenn es zu wenig ist.
piece-you-sent-it-where = WOHIN hast du das geschickt?!
    .text = Was eine Parzelle deiner Wahl in dieser Runde macht, geht an dich.
piece-brownout = Spannungsabfall!
    .text = Dein Opfer zahlt in dieser Runde das Doppelte an Energie für seine Parzellen.
piece-survey-error = Messfehler
    .text = Die Vermessung einer Parzelle deiner Wahl kommt zurück in den Stapel. RIGS, die ihr Feld verlieren, kommen ins Lager.
piece-survey-typo = Zahlendreher
    .text = Die Vermessungen zweier Parzellen deiner Wahl tauschen die Plätze. RIGS, die ihr Feld verlieren, kommen ins Lager.
piece-record-not-found = ‚Eintrag nicht gefunden‘
    .text = Die Expeditionsleitung gibt eine Parzelle deiner Wahl mit allem darauf jemand anderem. Dein Opfer zieht eine Karmakarte.
piece-carrier-lost = Signal verloren
    .text = Keines der RIGS deines Opfers arbeitet in dieser Runde. Es zieht eine Karmakarte.
piece-triangulation-drift = Peilfehler
    .text = Du schickst jedes RIGS auf einer Parzelle deiner Wahl auf eine beliebige andere Parzelle oder in ein Lager. Dein Opfer zieht eine Karmakarte.

# --- Karma: Reichtum ---

piece-recycling = Recycling
    .text = Bleibt im Spiel: RIGS, die du verlierst, kommen darauf. Lege es in der Spielerphase für je ein Metall pro RIGS darauf ab.
piece-ridiculous-efficiency = Absurde Effizienz
    .text = Alle deine RIGS machen in dieser Runde das Doppelte.
piece-parts-shop = Ersatzteilladen
    .text = Bleibt im Spiel: RIGS, die du verlierst, kommen darauf. Würfle einmal in jeder Spielerphase: Liegen mindestens so viele RIGS darauf, kommt eines in dein Lager; bei einer 1 sind die Karte und ihre RIGS verloren.
piece-swap-meet = Tauschbörse
    .text = Du tauschst bis zu sechs Rohstoffe gegen ebenso viele beliebige.
piece-poker-night = Pokerabend
    .text = Du würfelst für beliebig viele deiner Rohstoffe: Bei einer 1 ist er verloren, bei einer 4 oder 5 verdoppelt, bei einer 6 verdreifacht.
piece-below-the-surface = Unter der Oberfläche
    .text = Du bekommst einen Rohstoff für jedes Feld einer Art auf einer deiner Parzellen.
piece-winning-raffle-ticket = Gewinnlos
    .text = Du würfelst und bekommst ebenso viel Luxus.
piece-ruins = Ruinen
    .text = Du würfelst und bekommst ebenso viele Rohstoffe deiner Wahl.
piece-rigs-tdm = R.I.G.S. T.D.M.
    .text = Die RIGS auf einer deiner Parzellen machen in dieser Runde das Dreifache.
piece-other-markets = Andere Märkte
    .text = Nach dem Ziehen der Marktkarte: Luxus ist so viel wert wie die höchste bisher gezogene Marktkarte.
piece-naive-profits = Naive Gewinne
    .text = Nach dem Ziehen der Marktkarte: Jeder Luxus, den du verkaufst, ist um den Wert der niedrigsten bisher gezogenen Marktkarte mehr wert.

# --- Karma: Schutz ---

piece-wrong-address = Falsche Adresse
    .text = Wenn eine Sabotage dich betrifft, leitest du sie auf jemanden oder eine Parzelle um, die sie nicht betrifft, oder bist nicht betroffen.
piece-rigs-alarm-system = R.I.G.S.-Alarmanlage
    .text = Bleibt im Spiel: Wenn eine Sabotage dich betrifft, würfle: Bei einer geraden Zahl bist du nicht betroffen, bei einer 1 wird die Karte abgelegt.
piece-push-pull-or-drag = Geschoben, gezogen, geschleift
    .text = Bleibt im Spiel: Wenn eines deiner RIGS zerstört wird, darfst du die Karte für ein neues RIGS in deinem Lager ablegen.
piece-calling-in-a-favor = Gefallen einfordern
    .text = Eine Sabotage wird ohne Wirkung abgelegt.
piece-ive-got-a-donk = Ich hab ’nen Donk
    .text = Bleibt im Spiel: Wenn eine Sabotage dich betrifft, würfle: Bei 2 bis 5 bist du nicht betroffen, bei einer 1 oder 6 wird die Karte abgelegt.
piece-right-back-at-you = Gleichfalls
    .text = Eine Sabotage betrifft stattdessen ihren Besitzer, und ihre Opfer bekommen, was sie bringt; du teilst es auf.
piece-warehouse-insurance = Lagerversicherung
    .text = Du bekommst die Rohstoffe zurück, die du zuletzt durch eine Katastrophe, Zerstörung oder Sabotage verloren hast.
piece-decoy = Köder
    .text = Wenn jemand eine Karte aus deiner Karmahand nehmen würde, bekommt er stattdessen diese.
piece-double-agent = Doppelagent
    .text = Eine Sabotage wird deine: Nutze sie sofort, wie du willst, oder lege sie ab.
piece-aint-working-for-you = Nicht für dich
    .text = Eine Sabotage kommt auf die Hand ihres Besitzers zurück, der in dieser Runde keine Sabotage mehr spielt.
piece-a-little-information = Kleine Auskunft
    .text = Du siehst dir die Karmahände und die Credits aller anderen an.

# --- Ablehnungen ---

refusal-not-now = das ist jetzt nicht möglich
refusal-not-your-plot = { $plot } gehört dir nicht
refusal-not-granted = { $plot } ist nicht unter den Parzellen der Landvergabe
refusal-cannot-name = { $seat-seat-is ->
    [you] du kannst jetzt nicht bestimmt werden
   *[other] { $seat-seat } kann jetzt nicht bestimmt werden
}
refusal-too-few = das kostet { $needed } { $resource }, und du hast { $there }
refusal-no-rigs-left = alle 75 RIGS der Kolonie sind gebaut
refusal-no-rigs-there = dort hast du kein RIGS
refusal-no-room = dorthin kann kein RIGS: Es braucht ein freies Feld, und alle RIGS einer Parzelle ernten denselben Rohstoff
refusal-surveyed = { $plot } ist schon vermessen
refusal-no-surveys-left = der Vermessungsstapel ist leer
refusal-not-lent = Vinnie leiht keinen Luxus
refusal-no-script-left = Vinnie hat keinen Schuldschein ({ $resource }) mehr
refusal-credit-limit = in jeder Phase leiht Vinnie eine Einheit je Parzelle, und du hast { $plots }
refusal-nothing-owed = du schuldest Vinnie nichts dieser Art: { $resource }
refusal-nobody-to-deal-with = { $seat-seat-is ->
    [you] du kannst nicht mit dir selbst handeln
   *[other] mit { $seat-seat-to } ist kein Handel möglich
}
refusal-not-on-turn = in der Spielerphase muss einer der beiden am Zug sein, die handeln
refusal-zero-hour = in der Produktionsphase wechseln nur Rohstoffe und Credits den Besitzer
refusal-scripts-stay = ein Schuldschein bleibt, wo er ist, bis die Schuld getilgt ist
refusal-empty-deal = mindestens eine Seite eines Handels muss etwas geben
refusal-cannot-give = du hast nicht, was du geben würdest
refusal-cannot-take = { $seat-seat } hat nicht, was du verlangst
refusal-no-such-offer = dieses Angebot gibt es nicht
refusal-not-in-hand = { $card } ist nicht auf deiner Hand
refusal-wrong-time = { $card } kann jetzt nicht gespielt werden
refusal-bad-aim = { $card } kann nicht darauf gespielt werden
refusal-no-more-sabotage = du kannst in dieser Runde keine Sabotage mehr spielen
refusal-not-in-play = du hast { $card } nicht im Spiel
refusal-tinkered-already = für den Ersatzteilladen hast du in dieser Runde schon gewürfelt
refusal-no-such-card = { $card } ist nicht unter den Karten zur Wahl
refusal-wrong-amount = wähle { $needed ->
    [one] eine Einheit
   *[other] zusammen { $needed } Einheiten
} von denen, die zur Wahl stehen
refusal-cannot-stake = setze Einheiten ein, die du beim Ausspielen des Pokerabends hattest und noch nicht ausgewürfelt hast
refusal-nothing-to-power = { $plot } kann keine Energie bekommen
refusal-not-enough-energy = diese Parzellen brauchen { $needed } Energie, und du hast { $there }
refusal-ready-already = du bist bereit; nimm das zuerst zurück
refusal-all-ready = alle sind bereit, also ergeht der letzte Aufruf
refusal-too-many-unready = du hast deine Bereitschaft in dieser Phase schon { $most }-mal zurückgenommen
refusal-too-many-offers = du hast in diesem Zug oder dieser Phase schon { $most } Angebote gemacht
refusal-too-many-shows = du hast in diesem Zug oder dieser Phase schon { $most }-mal etwas gezeigt
refusal-not-ready = du bist nicht bereit
refusal-cannot-sell = du kannst nicht { $amount } Luxus verkaufen: du hast { $there }
refusal-must-sell = in der letzten Runde muss aller Luxus verkauft werden

# --- So wird gespielt ---

primer-1 = Das Ziel
    .text =
        Sei nach fünfzehn Runden am meisten wert. Deine Parzellen, deine Rohstoffe und deine Credits zählen, und was du Vinnie
        schuldest, geht ab. RIGS und Karmakarten sind am Ende nichts wert.

        Ein RIGS ist eine Maschine, die auf einem Feld einer Parzelle steht und eine Einheit von dessen Rohstoff macht: Energie,
        Nachschub, Metall oder Luxus. Alle RIGS einer Parzelle arbeiten am selben Rohstoff.
primer-2 = Eine Runde
    .text =
        Jede Runde hat vier Phasen: Alle bauen und handeln; jeden trifft eine Katastrophe; die Parzellen produzieren; und Luxus wird
        verkauft.

        Die Expeditionsleitung hat, wer die schlechtesten Parzellen hat. Sie entscheidet manches für alle, zum Beispiel, wer welche
        Katastrophe bekommt.
primer-3 = Bauen und handeln
    .text =
        Ab der zweiten Runde sieht sich die Expeditionsleitung, solange es Parzellen gibt, für jeden eine neue an und nimmt eine; die
        anderen ziehen ihre.

        Dann ist jeder am Zug. Tu in deinem, so viel du willst, und sei dann „bereit“:

        - Bau ein RIGS für 2 Metall. Es kommt in dein Lager.
        - Versetz ein RIGS für 1 Nachschub, auf ein freies Feld einer deiner Parzellen oder zurück ins Lager.
        - Vermiss eine deiner Parzellen für 1 Nachschub: Sie kann Felder für Luxus haben.
        - Biete Handel an: Rohstoffe, Credits, Parzellen und RIGS, gegen ebensolches.
        - Leih dir etwas von Vinnie. Du bekommst 1 Einheit und zahlst 2 zurück, oder am Ende das Vierfache ihres Werts.
        - Spiel Karmakarten.

        Sind alle bereit, legt jeder bis auf fünf Karmakarten ab.
primer-4 = Katastrophen
    .text =
        Die Expeditionsleitung verteilt an jeden eine Katastrophe. Sie kann Rohstoffe aus deinem Lager nehmen, ein RIGS nehmen oder
        begrenzen, was du in dieser Runde produzierst. Schadet sie dir, ziehst du eine Karmakarte. Schadet sie dir nicht, darfst du eine
        Karmakarte gegen eine neue tauschen.
primer-5 = Produktion
    .text =
        Eine Parzelle arbeitet nur, wenn sie für 1 Energie versorgt wird. Eine Parzelle, deren RIGS Energie machen, braucht keine, und
        die Energie, die sie in dieser Runde macht, darf deine anderen Parzellen versorgen. Vorgegeben ist die Wahl, die am meisten
        bringt; ändere sie, wenn du willst, und sei „bereit“.

        Sind alle bereit, kommt der letzte Aufruf: Danach können manche Karmakarten noch verderben oder vervielfachen, was die Parzellen
        machen. Dann kommt alles in die Lager.
primer-6 = Der Markt
    .text =
        Eine Karte bestimmt den Preis für Luxus in dieser Runde. Verkauf so viel du willst, oder behalt ihn für einen besseren Preis. In
        der letzten Runde muss aller Luxus verkauft werden.
primer-7 = Karmakarten
    .text =
        Jede Karte sagt, was sie tut und in welchen Phasen sie gespielt werden darf. Es gibt vier Arten: Zerstörung schadet anderen und
        lässt sich nicht verhindern, Sabotage schadet ihnen, lässt sich aber beantworten, Reichtum hilft dir, und Schutz beantwortet
        oder mildert meist, was dir angetan wird.

        Wird eine Sabotage gespielt, werden die anderen gefragt, ob sie antworten, ob sie nun eine passende Karte haben oder nicht: So
        verrät eine Frage nichts. Auch eine Antwort kann beantwortet werden; die letzte zählt.
primer-8 = Das Ende
    .text =
        Nach Runde 15 würfelt die Expeditionsleitung je einmal für Energie, Nachschub und Metall: So viel ist eine Einheit davon wert.
        Marktkarten sagen, was jede Art von Parzelle wert ist, und eine Parzelle mit einem Luxusfeld zählt doppelt. Jeder Schuldschein
        kostet das Vierfache des Werts seines Rohstoffs. Wer am meisten wert ist, gewinnt; bei Gleichstand, wer mehr Credits hat.
