# Les mots de la table, de la rediffusion et du salon.

# === La table ===

table-loading = On dresse la table…
table-reconnecting = Connexion perdue. Reconnexion…
table-seat = Place { $seat }
table-you = Vous
table-points = { $points ->
    [one] { $points } point
   *[other] { $points } points
  }
table-waiting-for-players = En attente de joueurs
table-open-seat = libre
table-turn = Tour en cours
table-deciding = Décide
table-resigned = Abandon
table-paused = La partie est suspendue.
table-ending = La fin de la partie
table-you-won = { $by ->
    [0] Vous avez gagné.
    [one] Vous avez gagné avec { $by } point d’avance.
   *[other] Vous avez gagné avec { $by } points d’avance.
  }
table-you-lost = { $by ->
    [0] Vous avez perdu. Victoire : { $players }.
    [one] Vous avez perdu de { $by } point. Victoire : { $players }.
   *[other] Vous avez perdu de { $by } points. Victoire : { $players }.
  }
table-shared = Vous partagez la victoire.
table-won = Victoire : { $players }.
table-no-result = La partie s’est terminée sans résultat.
table-watching = Vous regardez.
table-nothing-to-do = Vous n’avez rien à faire pour l’instant.
table-opponents = Autres places
table-open-seat-of = Voir ce que { $player } possède
table-sounds = Sons
table-common = Sur la table
table-your-place = Devant vous
table-cards = { $count ->
    [one] { $count } pièce
   *[other] { $count } pièces
  }
table-hidden-number = nombre caché
table-show-all = Montrer toutes les pièces
table-actions = Ce que vous pouvez faire
table-choose-more = Choisissez encore parmi ce qui brille, ou que faire :
table-choose-glowing = Choisissez ce qui brille sur la table.
table-idle = « { $title } » ne peut pas être choisi maintenant. Ce qui peut l’être brille.
table-idle-because = « { $title } » ne peut pas être choisi maintenant. { $reasons }
table-idle-not-asked = Rien à choisir maintenant : on ne vous demande rien.
table-why = Pourquoi ?
table-hint = Conseil
table-hint-title = Un bot qui réfléchit ferait ceci :
table-hint-estimate = il pense gagner { $percent } fois sur 100
table-hint-wait = attendre
table-hint-none = Les bots n’ont pas de conseil pour ce jeu.
table-clear = Effacer le choix
table-form-open = { $verb }…
table-cancel = Annuler
table-anyone = tout le monde
table-none = rien
table-menu = Partie
table-take-back = Annuler l’action
table-resign = Abandonner
table-resign-question = Abandonner cette partie ? La maison joue la suite pour vous, et vous ne pouvez plus gagner.
table-resign-yes = Oui, abandonner
table-vote-pause = Voter pour une pause
table-vote-resume = Voter pour la reprise
table-vote-end = Voter pour une fin sans résultat
table-votes = { $count } voix sur { $needed }
table-withdraw-vote = retirer votre voix
table-standing = La maison répond pour vous
table-standing-help = Chaque fois qu’on vous le demande, la maison répond pour vous, sauf si cela vous concerne.
table-log = Ce qui s’est passé
table-set-up = La mise en place
table-talk = Discussion
table-talk-to = À
table-talk-text = Message
table-send = Envoyer
table-sending = Envoi…
table-sending-later = Pas de connexion. Ce sera envoyé à son retour.
table-offer = Offre : { $by } à { $to }
table-gives = donne
table-takes = reçoit
table-nothing = rien
table-time-left = Temps restant
table-out-of-time = Temps écoulé

# === Comment jouer ===

table-how = Comment jouer

# === Touches ===

table-keys = Touches
keys-action = Choisir l’action de ce numéro
keys-card = Aller à la prochaine pièce qui brille
keys-choose = Choisir ce qui a le focus
keys-arrows = Parcourir les pièces d’un emplacement
keys-clear = Recommencer le choix
keys-primer = Comment jouer
keys-hint = Un conseil, contre des bots
keys-help = Cette liste
keys-on = Les touches d’un seul caractère sont actives

# === La rediffusion ===

replay-position = Position
replay-first = Au début
replay-back = Un pas en arrière
replay-play = Lecture
replay-pause = Pause
replay-forward = Un pas en avant
replay-last = À la fin
replay-speed = Vitesse
replay-viewer = Vu par
replay-spectator = Les spectateurs
replay-house = Tout est révélé

# === La revue ===

review-start = Revoir mes décisions
review-title = Vos chances, telles qu’un bot les voyait à chacune de vos décisions
review-win = victoire
review-loss = défaite
review-progress = { $done } décisions sur { $all }
review-none = Les bots ne savent pas juger cette partie.
review-moments = Ce qui a coûté le plus :
review-no-moments = Aucune décision n’a coûté cher.
review-moment = Position { $number } : { $taken }. Un bot compte gagner { $points } parties sur 100 de plus avec : { $best }
review-here = Ici, un bot choisirait :
review-taken = Votre choix

# === The lobby ===

lobby-open = Places libres
lobby-none = Aucune place libre pour l’instant.
lobby-none-help = Ouvrez une partie, et d’autres la trouveront ici.
lobby-join = Prendre place
lobby-resume = Aller à la partie
lobby-new = Nouvelle partie
lobby-create = Créer la partie
lobby-creating = Création…
lobby-cancel = Annuler
lobby-retry = Réessayer
lobby-offline = Le service est injoignable.
lobby-loading = Recherche de places libres…
lobby-game = Jeu
lobby-all-games = Tous les jeux
lobby-seats = Places
lobby-seats-taken = { $taken } places occupées sur { $seats }
lobby-seat = Place { $seat }
lobby-seat-you = Vous
lobby-seat-open = Libre
lobby-bot = Bot, { $level }
lobby-time = Temps
lobby-time-none = Sans pendule
lobby-time-other = Avec pendule
lobby-who = Qui peut participer
lobby-who-lobby = Tous ceux qui voient cette liste
lobby-who-link = Seulement ceux qui reçoivent un lien
lobby-options = Options du jeu
lobby-seek = Chercher des adversaires
lobby-seek-help = Vous avez une place dès qu’assez d’autres joueurs cherchent la même partie.
lobby-seeking = Recherche d’adversaires…
lobby-seek-stop = Ne plus chercher

# === Champs des formulaires ===

field-give = Vous donnez
field-take = Vous recevez
field-to = À
field-by = De
field-seat = Joueur
field-seats = Joueurs
field-amount = Combien
field-card = Carte
field-cards = Cartes
field-units = Unités
