# La vérification d’un compte rendu sur l’appareil du joueur.

# === Déroulement et résultat ===

check-checking = Vérification
check-progress = { $entries ->
    [0] Vérification…
    [one] 1 entrée vérifiée
   *[other] { $entries } entrées vérifiées
}
check-failed = La vérification n’a pas pu se faire.
check-proven = { $matches ->
    [one] Prouvé, sur cet appareil : { $entries } entrées, toute la donne et toutes les règles.
   *[other] Prouvé, sur cet appareil : { $matches } parties avec { $entries } entrées, toute la donne et toutes les règles.
}
check-deal-proven = { $matches ->
    [one] La donne est prouvée, sur cet appareil : { $entries } entrées. Les règles n’ont pas été vérifiées.
   *[other] La donne de { $matches } parties est prouvée, sur cet appareil : { $entries } entrées. Les règles n’ont pas été vérifiées.
}
check-not-proven = Non prouvé : rien de faux n’est connu, mais tout n’a pas pu être vérifié.
check-wrong = Faux : cela n’a pas été distribué, joué ou conservé comme il aurait fallu.
check-no-record = Ce n’est pas le compte rendu d’une partie.
check-entry = Entrée { $position } :
check-line = Ligne { $line } :
check-more = { $more ->
    [one] Et une autre.
   *[other] Et { $more } autres.
}

# === Ce que montre un compte rendu prouvé ===

check-shown = Ce qui est prouvé
check-is-rules = Les règles mènent de chaque action à exactement ce qui a été inscrit, dans l’ensemble des { $entries } entrées.
check-is-chance = { $choices ->
    [0] Il n’y a eu aucun choix au hasard.
    [one] L’unique choix au hasard découle de la graine, et la graine est celle sur laquelle le service s’était engagé.
   *[other] Les { $choices } choix au hasard découlent tous de la graine, et la graine est celle sur laquelle le service s’était engagé.
}
check-is-record = Chaque entrée a l’empreinte qui découle d’elle et de tout ce qui la précède.
check-is-commitment = L’engagement est celui que ce navigateur a gardé avant la distribution de la première carte.
check-is-commitment-later = L’engagement est celui que ce navigateur a vu quand la partie en était à l’entrée { $position }.
check-is-contribution = La contribution de ce navigateur au hasard figure, inchangée, dans le compte rendu.
check-is-shared = Des places ont contribué au hasard après l’engagement du service : aucun des deux côtés ne l’a choisi seul.
check-is-order = Le hasard était partagé et l’ordre est prouvé : le journal de transparence avait l’engagement sur la graine avant que ce navigateur contribue, d’après la preuve qu’il avait gardée d’avance.
check-is-logged = Le journal de transparence a le début et la fin de la partie tels que le compte rendu, d’après les preuves que ce navigateur a gardées.
check-is-logged-opened = Le journal de transparence a le début de la partie tel que le compte rendu, d’après la preuve que ce navigateur a gardée.
check-is-receipt = Le compte rendu concorde, jusqu’à sa dernière entrée, avec le reçu que le service a signé et que ce navigateur a gardé.
check-is-players = { $players ->
    [one] À une place, la personne est bien celle sur laquelle les entrées s’engagent.
   *[other] À { $players } places, les personnes sont bien celles sur lesquelles les entrées s’engagent.
}

# === Ce qui reste ouvert ===

check-open = Ce qui ne l’est pas
check-not-rules = Que chaque action a suivi les règles : les pages de ce service ne les contiennent pas. Le programme croupier verify les vérifie.
check-not-commitment = Que la graine était fixée avant la donne : ce navigateur n’a pas vu l’engagement à ce moment.
check-not-shared = { $matches ->
    [one] Que le service n’a pas choisi le hasard à sa guise : aucune place n’y a contribué.
   *[other] Que le service n’a pas choisi le hasard à sa guise : dans { $matches } parties, aucune place n’y a contribué.
}
check-not-order = { $matches ->
    [one] Que le service a fixé sa graine avant de connaître les contributions des places.
   *[other] Que le service a fixé sa graine avant de connaître les contributions des places, dans { $matches } parties.
}
check-not-receipt = Que c’est le compte rendu d’alors : ce navigateur n’a pas de reçu pour la dernière entrée, et qui possède la graine pourrait recalculer toute une partie.
check-not-players = { $players ->
    [one] Qui occupait l’une des places : le joueur a été effacé, ou aucune entrée ne s’engage sur lui.
   *[other] Qui occupait { $players } des places : ces joueurs ont été effacés, ou aucune entrée ne s’engage sur eux.
}
check-not-secret = Que personne ne savait ce qui allait venir : le service connaît la graine, et pourrait la confier à un ami.
check-not-page = Que cette page est honnête : elle vient du service. Un compte rendu enregistré peut être vérifié avec une autre page ou un autre programme.
check-not-names = Qui sont les joueurs, et comment ils s’appellent.

# === La page pour les fichiers ===

check-title = Vérifier une partie enregistrée
check-lead = Choisissez le compte rendu d’une partie. Il est vérifié sur cet appareil, et rien n’en est envoyé.
check-loading = Chargement de ce qui vérifie…
check-ready = Prêt. Désormais, aucun réseau n’est nécessaire.
check-ready-without-rules = Prêt, sans les règles des jeux : seule la donne est vérifiée. Désormais, aucun réseau n’est nécessaire.
check-load-failed = Ce qui vérifie les comptes rendus n’a pas pu être chargé. Rechargez la page.
check-choose = Choisir un fichier
check-or-drop = ou en déposer un ici
check-file = Le fichier { $name }
check-where = Une partie terminée a le bouton « Enregistrer le compte rendu » ; croupier export écrit aussi de tels fichiers.
check-more-about = Ce qu’un compte rendu prouve, et ce qu’il ne prouve pas
check-skip = Aller au contenu
check-play = Jouer
check-docs = Docs
