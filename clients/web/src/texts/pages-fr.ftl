# Les mots des pages par lesquelles aucune visite ne commence.

# === Everywhere ===

app-copy = Copier
app-watch-link = Lien pour regarder
app-copy-link = Copier le lien
app-watch-link-help = Qui l’a voit cette partie comme les spectateurs, et son aperçu montre la table.
app-any = Tous
app-filter = Rechercher
app-filters-clear = Effacer les filtres
app-to-match = Aller à la partie
app-you = Vous

# === Start ===

app-seats = { $seats } joueurs

# === Matches ===

app-open-title = Jouer à plusieurs
app-open-lead = Rejoignez d’autres joueurs en tant que { $player }, ou ouvrez votre propre partie.
app-matches-lead = Vous jouez en tant que { $player }. Les parties qui vous attendent viennent en premier.
app-matches-empty = { $player } n’a pas encore de partie.
app-history-empty = Aucune partie ne correspond.
app-game = Jeu
app-state = État
app-opponent = Adversaire
app-outcome = Issue
app-outcome-of = Une issue est celle de quelqu’un : indiquez aussi un joueur.
app-from = Créée à partir du
app-until = Créée jusqu’au
app-length-min = Au moins ce nombre d’entrées
app-length-max = Au plus ce nombre d’entrées

# === A match ===

app-match = Partie
app-match-id = Identifiant
app-about-match = À propos de cette partie
app-created = Créée
app-entries = Entrées
app-see-entries = Voir les entrées
app-chairs = Autour de la table
app-chair = Chaise { $number }
app-chair-open = Libre
app-chair-invited = Attend un invité
app-chair-taken = Occupée
app-chair-here = Présent
app-chair-away = Absent
app-chair-bot = Bot
app-chair-yours = Pour vous
app-chairs-taken = { $taken } chaises sur { $chairs } sont occupées.
app-chair-to-bot = La donner à un bot
app-chair-to-bot-of = La donner à un bot : chaise { $number }
app-chair-free = Libérer la chaise
app-chair-free-of = Libérer la chaise : { $player }
app-start-with-bots = { $count ->
    [one] Commencer, un bot prend la chaise libre
   *[other] Commencer, des bots prennent les { $count } chaises libres
  }
app-waiting-lobby = La partie commence dès que toutes les chaises sont prises. Tout le monde la trouve parmi les places libres.
app-waiting-link = La partie commence dès que toutes les chaises sont prises.
app-sit = M’asseoir ici
app-invite = Inviter par un lien
app-invite-how = Quiconque ouvre le lien voit cette partie, donne un nom et prend une chaise libre. Envoyez-le à ceux avec qui vous voulez jouer.
app-invite-link = Lien d’invitation
app-invite-code = Le lien sous forme de code à scanner
app-invite-scan = Ou faites-le scanner par un téléphone.
app-invite-until = Le lien vaut jusqu’à ce que les chaises soient prises, et au plus tard jusqu’au
app-invite-anew = Nouveau lien
app-invite-renewed = Il y a un nouveau lien. L’ancien ne laisse plus entrer personne.
app-share = Partager
app-invited = On vous invite à une partie de
app-invited-by = { $player } vous invite à une partie de
app-invited-full = Toutes les chaises sont prises
app-invited-full-help = La partie a commencé, ou va commencer. Demandez une autre invitation.
app-your-name = Votre nom
app-your-name-help = Les autres le voient. Pas besoin de compte ; ce navigateur retient le nom.
app-take-seat = Prendre place
app-clock = Pendule
app-clock-other = Avec pendule
app-presence-here = { $player } est là
app-presence-away = { $player } n’est pas là
app-spectators = { $count ->
    [one] Une personne regarde
   *[other] { $count } personnes regardent
  }
app-rematch-offer = Proposer une autre partie
app-rematch-offered = { $players } propose une autre partie.
app-rematch-waiting = On attend l’accord pour une autre partie : { $players }.
app-rematch-agreed = Tout le monde est d’accord. On distribue la partie suivante.
app-rematch-declined = Pas d’autre partie pour { $players }.
app-rematch-accept = Accepter
app-rematch-decline = Refuser
app-rematch-withdraw = Retirer la proposition
app-make-link = Créer un lien
app-link-of = Lien pour { $player }
app-seat-links = Liens vers les places
app-seat-links-help = Quiconque ouvre un lien joue à cette place, pendant un jour. Ne l’envoyez qu’à ce joueur.
app-leave = Quitter
app-delete-match = Supprimer la partie
app-delete-match-sure = Supprimer cette partie ? Elle n’a pas commencé, et il n’en restera rien.
app-next-match = Aller à la partie suivante
app-play-again = Rejouer
app-record = Enregistrer le compte rendu
app-complaint = Le service se contredit au sujet de cette partie.
app-complaint-help = Il a signé des déclarations qui ne peuvent pas être vraies toutes les deux. Elles le prouvent à n’importe qui : enregistrez-les et montrez-les.
app-complaint-save = Enregistrer les déclarations signées
app-verify = Était-ce loyal ?
app-verify-how = Le service s’est engagé sur sa graine avant la première carte, et la révèle après la dernière. Avec le compte rendu, cet appareil recalcule lui-même ce qui s’est passé, ne croit rien sur parole et dit ce qu’il n’a pas pu vérifier.
app-verify-here = Vérifier cette partie sur cet appareil
app-verifying = Vérification…
app-verify-details = Graine et engagement
app-verify-more = Comment vérifier une partie
app-verify-file = Vérifier une partie enregistrée
app-seed = Graine
app-seed-commitment = Son empreinte BLAKE3, publiée à l’avance
app-replay = Rediffusion
app-review = Revoir la partie
app-replay-of = Rediffusion : { $game }
app-replay-not-started = La partie n’a pas commencé. Il n’y a encore rien à revoir.

# === Standings ===

app-standings-lead = Tous ceux qui ont terminé une telle partie, par cote. Les bots n’en ont pas. Un point d’interrogation signale trop peu de résultats.
app-pool-seats = Places
app-pool-clocks = Pendules
app-clocks-untimed = Sans pendule
app-clocks-blitz = Blitz
app-clocks-live = Direct
app-clocks-daily = Par jour
app-standings-empty = Personne n’a encore terminé de partie de ce jeu.
app-plot-skill = Force estimée, et degré de certitude. La cote est l’extrémité basse de chaque trait.
app-rank = Rang
app-rating = Cote
app-rating-rose = gagne { $by }, à présent { $rating }
app-rating-fell = perd { $by }, à présent { $rating }
app-rating-sense = On commence à 0. Elle monte surtout en battant des joueurs mieux cotés.
app-rating-provisional = provisoire : elle varie beaucoup pendant encore quelques parties
app-rating-course = Dernières parties
app-rating-line =
  { $matches ->
    [one] 1 partie, de { $first } à { $last }
   *[other] { $matches } parties, de { $first } à { $last }
  }
app-played = Jouées
app-wins = Gagnées
app-last-played = Dernière partie
app-opponents = Adversaires
app-ahead = Devant
app-level = À égalité
app-behind = Derrière
app-last-matches = Dernières parties
app-all-matches = Toutes les parties

# === Operators ===

app-delete = Supprimer

# === Être averti de son tour ===

app-tell = M’avertir quand c’est mon tour
app-tell-no = Non merci
app-tell-stop = Ne plus m’avertir
app-tell-done = Ce navigateur vous avertit quand c’est votre tour.
app-tell-failed = Ce navigateur ne peut pas être averti des tours.
app-device-go-on = Continuer
app-device-ended = Joué ici
app-device-guest = Invité
app-device-forget = Oublier
app-device-forget-match = Oublier la partie de { $game }
app-device-forget-sure = Oublier cette partie, qui n’est pas terminée ?
app-device-leave = Jouer avec le service
app-device-here = Sur cet appareil
app-device-kept = Ce navigateur garde la partie. On peut continuer après avoir fermé la page.
app-device-verify = L’enregistrement
app-device-verify-how = Cet appareil a distribué, et tout enregistré. Vérifiez l’enregistrement ici, ou gardez-le : tout vérificateur lit le fichier.
app-give = Le service
app-give-how = Donnez cette partie au service : il la rejoue selon ses propres règles, et la garde dans l’historique de { $player }. Elle ne compte pour aucun classement.
app-give-how-guest = Donnez cette partie au service : il la rejoue selon ses propres règles, et la garde dans votre historique. Elle ne compte pour aucun classement.
app-give-now = Donner cette partie au service
app-giving = Le service la rejoue…
app-given = Le service a cette partie.
app-given-look = La voir là-bas
app-give-sign-in = Une fois connecté, vous pouvez donner cette partie au service.
