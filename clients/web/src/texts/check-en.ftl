# The check of a record on the player's own device.

# === Progress and outcome ===

check-checking = Checking
check-progress = { $entries ->
    [0] Checking …
    [one] 1 entry checked
   *[other] { $entries } entries checked
}
check-failed = The check could not be made.
check-proven = { $matches ->
    [one] Proven, on this device: { $entries } entries, every deal and every rule.
   *[other] Proven, on this device: { $matches } matches with { $entries } entries, every deal and every rule.
}
check-deal-proven = { $matches ->
    [one] The deal is proven, on this device: { $entries } entries. The rules were not checked.
   *[other] The deal of { $matches } matches is proven, on this device: { $entries } entries. The rules were not checked.
}
check-not-proven = Not proven: nothing is known to be wrong, but not everything could be checked.
check-wrong = Wrong: this was not dealt, played or kept as it should have been.
check-no-record = This is not the record of a match.
check-entry = Entry { $position }:
check-line = Line { $line }:
check-more = { $more ->
    [one] And one more.
   *[other] And { $more } more.
}

# === What a proven record shows ===

check-shown = What was proven
check-is-rules = The rules lead from every action to exactly what was recorded, in all { $entries } entries.
check-is-chance = { $choices ->
    [0] There was no random choice.
    [one] The one random choice follows from the seed, and the seed is the one that the service had committed itself to.
   *[other] All { $choices } random choices follow from the seed, and the seed is the one that the service had committed itself to.
}
check-is-record = Every entry has the digest that follows from it and from everything before it.
check-is-commitment = The commitment is the one that this browser kept before the first card was dealt.
check-is-commitment-later = The commitment is the one that this browser saw while the match was at entry { $position }.
check-is-contribution = What this browser contributed to the chance is in the record, unchanged.
check-is-shared = Seats contributed to the chance after the service had committed itself, so neither side chose it alone.
check-is-order = The chance was shared, and the order is proven: the transparency log had the commitment to the seed before this browser contributed, by the proof that it kept from before.
check-is-logged = The transparency log has the opening and the end of the match as the record has them, by the proofs that this browser kept.
check-is-logged-opened = The transparency log has the opening of the match as the record has it, by the proof that this browser kept.
check-is-receipt = The record agrees, to its last entry, with the receipt that the service signed and this browser kept.
check-is-players = { $players ->
    [one] The player at one seat is the one to whom the entries commit.
   *[other] The players at { $players } seats are those to whom the entries commit.
}

# === What it leaves open ===

check-open = What was not
check-not-rules = Whether every action followed the rules: this service’s pages come without them. The program croupier verify checks them.
check-not-commitment = That the seed was fixed before the deal: this browser did not see the commitment then.
check-not-shared = { $matches ->
    [one] That the service did not choose the chance to its liking: no seat contributed to it.
   *[other] That the service did not choose the chance to its liking: in { $matches } matches, no seat contributed to it.
}
check-not-order = { $matches ->
    [one] That the service fixed its seed before it knew what the seats contributed.
   *[other] That the service fixed its seed before it knew what the seats contributed, in { $matches } matches.
}
check-not-receipt = That it is the record of then: this browser has no receipt for the last entry, and whoever has the seed could compute a whole match anew.
check-not-players = { $players ->
    [one] Who sat at one of the seats: the player was erased, or no entry commits to the player.
   *[other] Who sat at { $players } of the seats: those players were erased, or no entry commits to them.
}
check-not-secret = That nobody knew what would come: the service knows the seed, and could tell a friend.
check-not-page = That this page is honest: it comes from the service. A saved record can be checked with another page or program.
check-not-names = Who the players are, and what they are called.

# === The page for files ===

check-title = Check a saved match
check-lead = Choose the record of a match. It is checked on this device, and nothing of it is sent anywhere.
check-loading = Loading what checks it …
check-ready = Ready. From here on, no network is needed.
check-ready-without-rules = Ready, without the rules of the games: the deal is checked. From here on, no network is needed.
check-load-failed = What checks records could not be loaded. Load the page again.
check-choose = Choose a file
check-or-drop = or drop one here
check-file = The file { $name }
check-where = A match that has ended has the button “Save the record”; croupier export writes such files, too.
check-more-about = What a record proves, and what it does not
check-skip = Skip to the content
check-play = Play
check-docs = Docs
