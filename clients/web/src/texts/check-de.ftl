# Die Prüfung einer Aufzeichnung auf dem eigenen Gerät.

# === Fortschritt und Ergebnis ===

check-checking = Prüfung
check-progress = { $entries ->
    [0] Wird geprüft …
    [one] 1 Eintrag geprüft
   *[other] { $entries } Einträge geprüft
}
check-failed = Die Prüfung war nicht möglich.
check-proven = { $matches ->
    [one] Bewiesen, auf diesem Gerät: { $entries } Einträge, alles Gegebene und jede Regel.
   *[other] Bewiesen, auf diesem Gerät: { $matches } Partien mit { $entries } Einträgen, alles Gegebene und jede Regel.
}
check-deal-proven = { $matches ->
    [one] Das Geben ist bewiesen, auf diesem Gerät: { $entries } Einträge. Die Regeln wurden nicht geprüft.
   *[other] Das Geben in { $matches } Partien ist bewiesen, auf diesem Gerät: { $entries } Einträge. Die Regeln wurden nicht geprüft.
}
check-not-proven = Nicht bewiesen: Es ist nichts Falsches bekannt, aber nicht alles ließ sich prüfen.
check-wrong = Falsch: Dies wurde nicht so gegeben, gespielt oder bewahrt, wie es hätte sein sollen.
check-no-record = Das ist keine Aufzeichnung einer Partie.
check-entry = Eintrag { $position }:
check-line = Zeile { $line }:
check-more = { $more ->
    [one] Und noch etwas.
   *[other] Und { $more } weitere.
}

# === Was eine bewiesene Aufzeichnung zeigt ===

check-shown = Was bewiesen ist
check-is-rules = Die Regeln führen von jeder Aktion zu genau dem, was aufgezeichnet ist, in allen { $entries } Einträgen.
check-is-chance = { $choices ->
    [0] Es gab keine zufällige Entscheidung.
    [one] Die eine zufällige Entscheidung folgt aus dem Startwert, und der Startwert ist der, auf den sich der Dienst festgelegt hatte.
   *[other] Alle { $choices } zufälligen Entscheidungen folgen aus dem Startwert, und der Startwert ist der, auf den sich der Dienst festgelegt hatte.
}
check-is-record = Jeder Eintrag hat die Prüfsumme, die aus ihm und allem davor folgt.
check-is-commitment = Die Festlegung ist die, die dieser Browser vor der ersten Karte aufbewahrt hat.
check-is-commitment-later = Die Festlegung ist die, die dieser Browser sah, als die Partie bei Eintrag { $position } war.
check-is-contribution = Was dieser Browser zum Zufall beigetragen hat, steht unverändert in der Aufzeichnung.
check-is-shared = Plätze haben zum Zufall beigetragen, nachdem sich der Dienst festgelegt hatte: Keine Seite hat ihn allein gewählt.
check-is-order = Der Zufall war geteilt, und die Reihenfolge ist bewiesen: Das Transparenzlog hatte die Festlegung auf den Startwert, bevor dieser Browser beitrug; das zeigt der Beweis, den er davor aufbewahrt hat.
check-is-logged = Das Transparenzlog hat Beginn und Ende der Partie so wie die Aufzeichnung; das zeigen die Beweise, die dieser Browser aufbewahrt hat.
check-is-logged-opened = Das Transparenzlog hat den Beginn der Partie so wie die Aufzeichnung; das zeigt der Beweis, den dieser Browser aufbewahrt hat.
check-is-receipt = Die Aufzeichnung stimmt bis zum letzten Eintrag mit der Quittung überein, die der Dienst unterschrieben und dieser Browser aufbewahrt hat.
check-is-players = { $players ->
    [one] An einem Platz saß die Person, auf die sich die Einträge festlegen.
   *[other] An { $players } Plätzen saßen die Personen, auf die sich die Einträge festlegen.
}

# === Was offen bleibt ===

check-open = Was nicht
check-not-rules = Ob jede Aktion den Regeln folgte: Die Seiten dieses Dienstes enthalten sie nicht. Das Programm croupier verify prüft sie.
check-not-commitment = Dass der Startwert vor dem Geben feststand: Dieser Browser hat die Festlegung damals nicht gesehen.
check-not-shared = { $matches ->
    [one] Dass der Dienst den Zufall nicht nach Belieben gewählt hat: Kein Platz hat dazu beigetragen.
   *[other] Dass der Dienst den Zufall nicht nach Belieben gewählt hat: In { $matches } Partien hat kein Platz dazu beigetragen.
}
check-not-order = { $matches ->
    [one] Dass der Dienst seinen Startwert wählte, bevor er die Beiträge der Plätze kannte.
   *[other] Dass der Dienst seinen Startwert wählte, bevor er die Beiträge der Plätze kannte, in { $matches } Partien.
}
check-not-receipt = Dass es die Aufzeichnung von damals ist: Dieser Browser hat keine Quittung für den letzten Eintrag, und wer den Startwert hat, könnte eine ganze Partie neu berechnen.
check-not-players = { $players ->
    [one] Wer an einem der Plätze saß: Die Person wurde gelöscht, oder kein Eintrag legt sich auf sie fest.
   *[other] Wer an { $players } der Plätze saß: Diese Personen wurden gelöscht, oder kein Eintrag legt sich auf sie fest.
}
check-not-secret = Dass niemand wusste, was kommt: Der Dienst kennt den Startwert und könnte ihn jemandem verraten.
check-not-page = Dass diese Seite ehrlich ist: Sie kommt vom Dienst. Eine gesicherte Aufzeichnung lässt sich mit einer anderen Seite oder einem anderen Programm prüfen.
check-not-names = Wer die Spielenden sind, und wie sie heißen.

# === Die Seite für Dateien ===

check-title = Eine gespeicherte Partie prüfen
check-lead = Wähle die Aufzeichnung einer Partie. Sie wird auf diesem Gerät geprüft, und nichts davon wird gesendet.
check-loading = Was prüft, wird geladen …
check-ready = Bereit. Ab jetzt wird kein Netz mehr gebraucht.
check-ready-without-rules = Bereit, ohne die Regeln der Spiele: Geprüft wird das Geben. Ab jetzt wird kein Netz mehr gebraucht.
check-load-failed = Was Aufzeichnungen prüft, ließ sich nicht laden. Lade die Seite neu.
check-choose = Datei wählen
check-or-drop = oder hier ablegen
check-file = Die Datei { $name }
check-where = Eine beendete Partie hat den Knopf „Aufzeichnung sichern“; auch croupier export schreibt solche Dateien.
check-more-about = Was eine Aufzeichnung beweist, und was nicht
check-skip = Zum Inhalt springen
check-play = Spielen
check-docs = Doku
