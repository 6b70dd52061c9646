// A client in Go that is generated from the contract: `.ci/languages` compiles it.
package main

import (
	"context"
	"fmt"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	mountebankv1 "croupier.example/croupier/gen/go/croupier/games/mountebank/v1"
	croupierv1 "croupier.example/croupier/gen/go/croupier/v1"
)

func main() {
	connection, err := grpc.Dial(os.Args[1], grpc.WithInsecure())
	if err != nil {
		panic(err)
	}
	defer connection.Close()
	key := metadata.Pairs("authorization", "Bearer "+os.Args[2])
	ctx := metadata.NewOutgoingContext(context.Background(), key)
	matches := croupierv1.NewMatchServiceClient(connection)
	created, err := matches.CreateMatch(ctx, &croupierv1.CreateMatchRequest{
		Game:    "games/mountebank",
		Seats:   2,
		Players: []string{"ann", "bob"},
	})
	if err != nil {
		panic(err)
	}
	match := created.GetMatch()
	match.DisplayName = "Friday night"
	_, err = matches.UpdateMatch(ctx, &croupierv1.UpdateMatchRequest{
		Match:      match,
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"display_name"}},
	})
	if err != nil {
		panic(err)
	}
	seat := match.GetWaitingFor()[0]
	draw := &mountebankv1.Action{Kind: &mountebankv1.Action_Draw{Draw: &mountebankv1.Draw{}}}
	entry, err := matches.SubmitAction(ctx, &croupierv1.SubmitActionRequest{
		Name:   match.GetName(),
		Seat:   &seat,
		Action: &croupierv1.Action{Game: &croupierv1.Action_Mountebank{Mountebank: draw}},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(entry.GetEntry().GetName(), entry.GetEntry().GetPosition())
}
