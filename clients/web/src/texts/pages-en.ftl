# Words of the pages that a visit does not begin with.

# === Everywhere ===

app-copy = Copy
app-watch-link = Link to watch
app-copy-link = Copy link
app-watch-link-help = Whoever has it sees this match as a spectator does, and its preview shows the table.
app-any = Any
app-filter = Search
app-filters-clear = Clear filters
app-to-match = Go to the match
app-you = You

# === Start ===

app-seats = { $seats } players

# === Matches ===

app-open-title = Play with people
app-open-lead = Sit down with others, as { $player }, or open a match of your own.
app-matches-lead = You play as { $player }. Matches that wait for you come first.
app-matches-empty = { $player } has no matches yet.
app-history-empty = No matches are like this.
app-game = Game
app-state = State
app-opponent = Opponent
app-outcome = Outcome
app-outcome-of = An outcome is somebody’s: name a player as well.
app-from = Created from
app-until = Created until
app-length-min = At least this many entries
app-length-max = At most this many entries

# === A match ===

app-match = Match
app-match-id = Id
app-about-match = About this match
app-created = Created
app-entries = Entries
app-see-entries = See the entries
app-chairs = At the table
app-chair = Chair { $number }
app-chair-open = Free
app-chair-invited = Waiting for a guest
app-chair-taken = Taken
app-chair-here = Here
app-chair-away = Away
app-chair-bot = Bot
app-chair-yours = For you
app-chairs-taken = { $taken } of { $chairs } chairs are taken.
app-chair-to-bot = Give it to a bot
app-chair-to-bot-of = Give it to a bot: chair { $number }
app-chair-free = Free the chair
app-chair-free-of = Free the chair: { $player }
app-start-with-bots = { $count ->
    [one] Start now, a bot takes the free chair
   *[other] Start now, bots take the { $count } free chairs
  }
app-waiting-lobby = The match starts as soon as every chair is taken. Everybody finds it under open seats.
app-waiting-link = The match starts as soon as every chair is taken.
app-sit = Sit here
app-invite = Invite by a link
app-invite-how = Whoever opens the link sees this match, says a name and takes a free chair. Send it to those whom you want to play with.
app-invite-link = Link of the invitation
app-invite-code = The link as a code to scan
app-invite-scan = Or let a phone scan it.
app-invite-until = The link works until the chairs are taken, and no longer than
app-invite-anew = New link
app-invite-renewed = There is a new link. The old one lets nobody in any more.
app-share = Share
app-invited = You are invited to a match of
app-invited-by = { $player } invites you to a match of
app-invited-full = All chairs are taken
app-invited-full-help = The match has started, or is about to. Ask for another invitation.
app-your-name = Your name
app-your-name-help = The others see it. You need no account; this browser keeps the name.
app-take-seat = Take a seat
app-clock = Clock
app-clock-other = With clocks
app-presence-here = { $player } is here
app-presence-away = { $player } is away
app-spectators = { $count ->
    [one] One looks on
   *[other] { $count } look on
  }
app-rematch-offer = Offer another match
app-rematch-offered = { $players } offers another match.
app-rematch-waiting = Waiting for { $players } to agree to another match.
app-rematch-agreed = Everybody agrees. The next match is being dealt.
app-rematch-declined = No other match for { $players }.
app-rematch-accept = Accept
app-rematch-decline = Decline
app-rematch-withdraw = Withdraw the offer
app-make-link = Make a link
app-link-of = Link for { $player }
app-seat-links = Links to seats
app-seat-links-help = Whoever opens a link plays on that seat, for a day. Send it to that player only.
app-leave = Leave
app-delete-match = Delete the match
app-delete-match-sure = Delete this match? It has not begun, and nothing of it remains.
app-next-match = Go to the next match
app-play-again = Play again
app-record = Save the record
app-complaint = The service contradicts itself about this match.
app-complaint-help = It signed statements that cannot both be true. They prove that to anyone: save them, and show them to others.
app-complaint-save = Save the signed statements
app-verify = Was it fair?
app-verify-how = The service committed itself to its seed before the first card, and reveals it after the last. With the record, this device works out for itself what happened, takes nothing on the service’s word, and says what it could not check.
app-verify-here = Check this match on this device
app-verifying = Checking …
app-verify-details = Seed and commitment
app-verify-more = How to verify a match
app-verify-file = Check a saved match
app-seed = Seed
app-seed-commitment = Its BLAKE3 hash, published before
app-replay = Replay
app-review = Review
app-replay-of = Replay: { $game }
app-replay-not-started = The match has not begun. There is nothing to replay yet.

# === Standings ===

app-standings-lead = Everybody who has finished such a match, by rating. Bots have none. A question mark says that there are too few results.
app-pool-seats = Seats
app-pool-clocks = Clocks
app-clocks-untimed = No clocks
app-clocks-blitz = Blitz
app-clocks-live = Live
app-clocks-daily = Daily
app-standings-empty = Nobody has finished a match of this game yet.
app-plot-skill = Estimated skill, and how sure it is. The rating is the lower end of each line.
app-rank = Rank
app-rating = Rating
app-rating-rose = up by { $by } to { $rating }
app-rating-fell = down by { $by } to { $rating }
app-rating-sense = New players start at 0. It rises most by beating players with a higher rating.
app-rating-provisional = provisional: it moves much until a few more matches are played
app-rating-course = Last matches
app-rating-line =
  { $matches ->
    [one] 1 match, from { $first } to { $last }
   *[other] { $matches } matches, from { $first } to { $last }
  }
app-played = Played
app-wins = Won
app-last-played = Last played
app-opponents = Opponents
app-ahead = Ahead
app-level = Level
app-behind = Behind
app-last-matches = Last matches
app-all-matches = All matches

# === Operators ===

app-delete = Delete
app-tell = Tell me when it is my turn
app-tell-no = No, thanks
app-tell-stop = Stop telling me of turns
app-tell-done = This browser tells you when it is your turn.
app-tell-failed = This browser cannot be told of turns.
app-device-go-on = Go on
app-device-ended = Played here
app-device-guest = Guest
app-device-forget = Forget
app-device-forget-match = Forget the match of { $game }
app-device-forget-sure = Forget this match, which has not ended?
app-device-leave = Play with the service
app-device-here = On this device
app-device-kept = This browser keeps the match. You can go on after you have closed the page.
app-device-verify = The record
app-device-verify-how = This device dealt, and kept a record. Check it here, or save it: every verifier takes the file.
app-give = The service
app-give-how = Give this match to the service: it plays the match again by its own rules, and keeps it in the history of { $player }. It counts for no rating.
app-give-how-guest = Give this match to the service: it plays the match again by its own rules, and keeps it in your history. It counts for no rating.
app-give-now = Give this match to the service
app-giving = The service plays it again …
app-given = The service has this match.
app-given-look = Look at it there
app-give-sign-in = Once you have signed in, you can give this match to the service.
