# Was die Erzählungen aller Spiele gemeinsam haben. Die Datei eines Spiels darf jede dieser
# Nachrichten selbst haben; en.ftl erklärt sie.

# --- Personen ---

person = { $is ->
    [you] du
   *[other] { $name }
}
    .them = { $is ->
        [you] dich
       *[other] { $name }
    }
    .to = { $is ->
        [you] dir
       *[other] { $name }
    }
    .whose = { $is ->
        [you] von dir
       *[other] von { $name }
    }
seat = Platz { $number }
list = { $first } und { $last }
colon = {": "}
semicolon = {"; "}
nothing = nichts
everything = alles
named = „{ $title }“
named-at = { $title } { $at }
others = anderes
some-pieces = einiges
uncounted = eine unbekannte Anzahl
each-player = jeder
each-other-player = jeder andere

# --- Spielmaterial ---

moved-dealt = { $seat-is ->
    [you] bekommst { $what }
   *[other] bekommt { $what }
}
moved-drawn = { $seat-is ->
    [you] ziehst { $what } { $from }
   *[other] zieht { $what } { $from }
}
moved-taken-up = { $seat-is ->
    [you] nimmst { $what } { $from }
   *[other] nimmt { $what } { $from }
}
moved-taken = { $seat-is ->
    [you] nimmst { $what } { $from }
   *[other] nimmt { $what } { $from }
}
moved-given = { $seat-is ->
    [you] gibst { $taker-to } { $what }
   *[other] gibt { $taker-to } { $what }
}
moved-discarded = { $seat-is ->
    [you] legst { $what } ab
   *[other] legt { $what } ab
}
moved-played = { $seat-is ->
    [you] spielst { $what } { $to }
   *[other] spielt { $what } { $to }
}
moved-put = { $seat-is ->
    [you] legst { $what } { $to }
   *[other] legt { $what } { $to }
}
moved-revealed = { $seat-is ->
    [you] deckst { $what } auf
   *[other] deckt { $what } auf
}
moved-own = { $seat-is ->
    [you] legst { $what } { $from } { $to }
   *[other] legt { $what } { $from } { $to }
}
moved-to-discard = { $count ->
    [one] { $what } wird abgelegt
   *[other] { $what } werden abgelegt
}
moved-opened = { $count ->
    [one] { $what } kommt { $from } { $to }
   *[other] { $what } kommen { $from } { $to }
}
moved = { $count ->
    [one] { $what } geht { $from } { $to }
   *[other] { $what } gehen { $from } { $to }
}
gathered = alles { $at } geht { $to }
gathered-into-deck = alles { $at } wird { $to } gemischt
shown = { $seat-is ->
    [you] zeigst { $what }
   *[other] zeigt { $what }
}
shown-to-one = { $seat-is ->
    [you] siehst { $what } { $at }
   *[other] sieht { $what } { $at }
}
shown-to-some = { $people } { $people-are ->
    [with-you] seht
   *[many] sehen
} { $what } { $at }
shown-to-all = alle sehen { $what } { $at }

# --- Münzen ---

paid-got = { $seat-is ->
    [you] bekommst { $what }
   *[other] bekommt { $what }
}
paid = { $seat-is ->
    [you] zahlst { $what }
   *[other] zahlt { $what }
}
paid-taken = { $seat-is ->
    [you] nimmst { $what } { $from }
   *[other] nimmt { $what } { $from }
}
paid-put = { $seat-is ->
    [you] legst { $what } { $to }
   *[other] legt { $what } { $to }
}
paid-own = { $seat-is ->
    [you] legst { $what } { $from } { $to }
   *[other] legt { $what } { $from } { $to }
}
paid-taken-from = { $seat-is ->
    [you] nimmst { $giver-to } { $what } ab
   *[other] nimmt { $giver-to } { $what } ab
}
paid-to = { $seat-is ->
    [you] zahlst { $taker-to } { $what }
   *[other] zahlt { $taker-to } { $what }
}
paid-laid = { $amount ->
    [one] es kommt { $shares }
   *[other] es kommen { $shares }
}
paid-moved = { $amount ->
    [one] { $what } geht { $from } { $to }
   *[other] { $what } gehen { $from } { $to }
}
paid-share = { $what } { $to }

# --- Andere Ereignisse ---

rolled = { $seat-is ->
    [you] würfelst { $what }
   *[other] würfelt { $what }
}
round-began = Runde { $number } beginnt
phase-began = Die Phase { $phase } beginnt
turn-began = { $seat-is ->
    [you] Du bist am Zug
   *[other] { $seat } ist am Zug
}
turn-again = { $seat-is ->
    [you] Du bist noch einmal am Zug
   *[other] { $seat } ist noch einmal am Zug
}
offered = { $seat-is ->
    [you] bietest { $to-to } { $give } gegen { $take } an
   *[other] bietet { $to-to } { $give } gegen { $take } an
}
offered-gift = { $seat-is ->
    [you] bietest { $to-to } { $give } ohne Gegenleistung an
   *[other] bietet { $to-to } { $give } ohne Gegenleistung an
}
offered-request = { $seat-is ->
    [you] bittest { $to-them } um { $take }
   *[other] bittet { $to-them } um { $take }
}
offer-closed = { $seat-is ->
    [you] dein Angebot
   *[other] das Angebot { $seat-whose }
} ist vom Tisch
scores = Punkte: { $scores }
score = { $seat } { $points }
score-of-parts = { $seat } { $points } ({ $parts })
# Ein Teil eines Punktestands, etwa das Geld eines Spielers.
score-part = { $title } { $sign }{ $points }
won = { $seat-is ->
    [you] du gewinnst
   *[other] { $seat } gewinnt
}
won-shared = { $people } { $people-are ->
    [with-you] teilt euch
   *[many] teilen sich
} den Sieg
abandoned = die Partie endet ohne Ergebnis
resigned = { $seat-is ->
    [you] gibst den Platz auf
   *[other] gibt den Platz auf
}
time-added = { $seat-is ->
    [you] bekommst mehr Zeit, weil der Dienst nicht erreichbar war
   *[other] bekommt mehr Zeit, weil der Dienst nicht erreichbar war
}
said = { $seat-is ->
    [you] sagst: „{ $text }“
   *[other] sagt: „{ $text }“
}
said-privately = { $seat-is ->
    [you] sagst vertraulich zu { $people-to }: „{ $text }“
   *[other] sagt vertraulich zu { $people-to }: „{ $text }“
}
said-erased = { $seat-is ->
    [you] sagst etwas, das gelöscht worden ist
   *[other] sagt etwas, das gelöscht worden ist
}
said-privately-erased = { $seat-is ->
    [you] sagst vertraulich zu { $people-to } etwas, das gelöscht worden ist
   *[other] sagt vertraulich zu { $people-to } etwas, das gelöscht worden ist
}
said-unheard = { $seat-is ->
    [you] sagst etwas Vertrauliches
   *[other] sagt etwas Vertrauliches
}
contributed = { $seat-is ->
    [you] steuerst etwas zum Zufall der Partie bei
   *[other] steuert etwas zum Zufall der Partie bei
}
stood = { $seat-is ->
    [you] lässt bis auf Weiteres das Haus antworten: { $decision }
   *[other] lässt bis auf Weiteres das Haus antworten: { $decision }
}
stood-no-more = { $seat-is ->
    [you] antwortest wieder selbst: { $decision }
   *[other] antwortet wieder selbst: { $decision }
}
voted = { $seat-is ->
    [you] stimmst dafür, die Partie { $motion ->
        [end] ohne Ergebnis zu beenden
        [pause] zu unterbrechen
       *[resume] fortzusetzen
    }
   *[other] stimmt dafür, die Partie { $motion ->
        [end] ohne Ergebnis zu beenden
        [pause] zu unterbrechen
       *[resume] fortzusetzen
    }
}
voted-no-more = { $seat-is ->
    [you] stimmst nicht mehr dafür, die Partie { $motion ->
        [end] ohne Ergebnis zu beenden
        [pause] zu unterbrechen
       *[resume] fortzusetzen
    }
   *[other] stimmt nicht mehr dafür, die Partie { $motion ->
        [end] ohne Ergebnis zu beenden
        [pause] zu unterbrechen
       *[resume] fortzusetzen
    }
}
paused = die Partie ist unterbrochen
resumed = die Partie geht weiter
replaced = { $seat } übernimmt den Platz
opened = der Tisch wird aufgebaut
house = das Haus handelt

# --- Entscheidungen ---

prompt-must = { $people-are ->
    [you] du musst { $decision }
    [many] { $people } müssen { $decision }
    [with-you] { $people } müsst { $decision }
   *[one] { $people } muss { $decision }
}
prompt-may = { $people-are ->
    [you] du darfst { $decision }
    [many] { $people } dürfen { $decision }
    [with-you] { $people } dürft { $decision }
   *[one] { $people } darf { $decision }
}

# --- Aktionen aller Spiele ---

verb-open = Aufbau
    .help = Das Haus baut den Tisch auf.
verb-resign = Aufgeben
    .help = Gibt auf: Ab jetzt antwortet das Haus für den Platz, und er gewinnt nicht.
    .does = { $seat-is ->
        [you] gibst auf
       *[other] gibt auf
    }
verb-timeout = Zeitablauf
    .help = Die Zeit des Platzes ist abgelaufen: Das Haus antwortet einmal für ihn, oder er gibt auf.
    .does = { $seat-is ->
        [you] überschreitest die Bedenkzeit
       *[other] überschreitet die Bedenkzeit
    }
verb-add-time = Zeitgutschrift
    .help = Wer etwas zu entscheiden hat, bekommt die Zeit zurück, in der der Dienst nicht erreichbar war.
verb-say = Sagen
    .help = Sagt etwas zu allen oder vertraulich zu einigen. Es bindet niemanden.
    .label = { $to-count ->
        [0] „{ $text }“ sagen
       *[other] „{ $text }“ vertraulich zu { $to } sagen
    }
    .short = „{ $text }“ sagen
verb-undo = Zurücknehmen
    .help = Nimmt die letzte Aktion des Platzes zurück, wenn sie nichts verraten hat, kein Zufall im Spiel war und seitdem niemand gehandelt hat.
    .does = { $seat-is ->
        [you] nimmst die letzte Aktion zurück
       *[other] nimmt die letzte Aktion zurück
    }
verb-vote = Abstimmen
    .help = Stimmt dafür, die Partie ohne Ergebnis zu beenden, zu unterbrechen oder fortzusetzen. Es braucht die Stimmen aller, die nicht aufgegeben haben.
verb-abandon = Ohne Ergebnis beenden
    .help = Die Partie endet und zählt nicht.
verb-pause = Unterbrechen
    .help = Die Partie ruht, und niemand kann handeln, bis sie weitergeht.
verb-resume = Fortsetzen
    .help = Die Partie geht nach einer Unterbrechung weiter.
verb-replace = Ersetzen
    .help = Ein anderer Spieler übernimmt einen Platz.
verb-stand = Daueranweisung
    .help = Lässt ab jetzt das Haus eine Frage beantworten, als wäre niemand da, oder nicht mehr.
    .label = { $on ->
        [yes] Das Haus antworten lassen: { $decision }
       *[no] Wieder selbst antworten: { $decision }
    }
option-talk = Gespräch
    .description = Ob die Spieler miteinander sprechen können, mit allen oder vertraulich, und ob es eine Grenze gibt, wie oft.
    .is-off = Aus
    .is-on = An
    .is-unlimited = Ohne Grenze
option-first-seat = Wer beginnt
    .description = Der Spieler, der beginnt.
    .is-random = Der Zufall entscheidet

# --- Eine Partie in ein, zwei Sätzen ---

summary = { $open ->
    [0] { $game }: { $people }
    [one] { $game }: { $people }, ein Platz ist frei
   *[other] { $game }: { $people }, { $open } Plätze sind frei
}
summary-turn = { $seat-is ->
    [you] { $round ->
        [0] du bist am Zug
       *[other] Runde { $round }, du bist am Zug
    }
   *[other] { $round ->
        [0] { $seat } ist am Zug
       *[other] Runde { $round }, { $seat } ist am Zug
    }
}
summary-waiting = gewartet wird auf { $people-them }
waiting = { $matches ->
    [one] Du bist am Zug
   *[other] Du bist in { $matches } Partien am Zug
}

# --- Der Tisch als Textzeilen ---

table-common = Auf dem Tisch
table-score = Punkte aus
table-round = Runde { $number }
table-phase = Phase { $phase }
table-turn = { $seat-is ->
    [you] du bist am Zug
   *[other] { $seat } ist am Zug
}
table-below = { $count } darunter
table-seat = { $seat-is ->
    [you] Du
   *[other] { $seat }
}, Platz { $number }{ $scored ->
    [yes] , { $points } { $points ->
        [one] Punkt
       *[other] Punkte
    }
   *[no] {""}
}{ $resigned ->
    [yes] , hat aufgegeben
   *[no] {""}
}

# --- Warum eine Aktion nichts bewirkt hat: Gründe aller Spiele ---

refusal-match-ended = die Partie ist zu Ende
refusal-not-seated = diesen Platz gibt es in der Partie nicht
refusal-resigned = wer aufgegeben hat, kann nicht mehr handeln
refusal-not-asked = dieser Platz hat jetzt nichts zu entscheiden
refusal-no-such-seat = diesen Platz gibt es in dieser Partie nicht
refusal-yourself = niemand spricht mit sich selbst
refusal-text-blank = ein Text muss etwas zeigen
refusal-text-too-long = ein Text hat höchstens { $characters-max } Zeichen, dieser hat { $characters }
refusal-text-not-plain = Zeichen { $character } des Textes ist nicht erlaubt
refusal-no-standing-answer = das kann das Haus niemandem abnehmen: { $decision }
refusal-nothing-changes = es ist schon so
refusal-match-paused = die Partie ist unterbrochen
refusal-match-not-paused = die Partie ist nicht unterbrochen
refusal-take-back-nothing = deine letzte Aktion ist nicht das Letzte, was geschah
refusal-take-back-chance = hier war Zufall im Spiel, darum lässt es sich nicht zurücknehmen
refusal-take-back-revealed = das lässt sich nicht zurücknehmen: andere haben etwas daraus erfahren{ $revealed-count ->
    [0] {""}
   *[other] {" "}({ $revealed })
}
refusal-take-back-final = das lässt sich nicht zurücknehmen
refusal-not-resigned = der Spieler dieses Platzes hat nicht aufgegeben

# --- Warum ein Aufruf nichts bewirkt hat: Gründe des Dienstes, denen Spieler begegnen ---

refusal-not-your-seat = das ist nicht dein Platz
refusal-position-moved = die Partie ist weitergegangen
refusal-prompt-moved = danach wird nicht mehr gefragt
refusal-match-not-started = die Partie hat noch nicht begonnen
refusal-suggestions-against-people = gegen Menschen gibt es keine Tipps
refusal-match-not-ended = die Partie ist noch nicht zu Ende
refusal-match-full = in der Partie ist kein Platz frei
refusal-seat-taken = der Platz ist besetzt
refusal-display-name-taken = jemand anderes in der Partie heißt schon so
refusal-talk-off = in dieser Partie wird nicht gesprochen
refusal-too-many-asides = genug geredet; mit dem nächsten Zug geht es weiter
refusal-rate-limit-exceeded = das war zu schnell; versuch es gleich noch einmal
