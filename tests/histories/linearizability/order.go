package main

import (
	"math"
	"math/big"
	"sort"

	"github.com/anishathalye/porcupine"
)

// Bound of the sets of placed operations that are searched. An order is found after some thousand,
// or hardly ever.
const maxPlacements = 1 << 20

// A placement is the state of a search: the operations in the order so far, and the state after
// them.
type placement struct {
	placed string
	now    state
}

// An orderSearch looks for an order of all operations on one object. It places an operation that
// changes nothing as soon as it fits: the rest of an order that has it later is as good without it.
// This is what porcupine does not do. Where many operations overlap it tries every place of each
// refusal and each read, and their number is exponential.
type orderSearch struct {
	// By the time of their calls.
	all  []porcupine.Operation
	seen map[placement]bool
}

// findOrder returns an order of all operations that explains every answer. No result proves
// nothing: the search is bounded.
func findOrder(operations []porcupine.Operation) []porcupine.Operation {
	all := append([]porcupine.Operation(nil), operations...)
	sort.SliceStable(all, func(i, j int) bool { return all[i].Call < all[j].Call })
	search := orderSearch{all: all, seen: map[placement]bool{}}
	return search.continued(new(big.Int), state{}, nil)
}

// Returns the whole order that begins with the one so far.
func (search *orderSearch) continued(placed *big.Int, now state, order []porcupine.Operation) []porcupine.Operation {
	placed, order = search.withUnchanging(placed, now, order)
	if len(order) == len(search.all) {
		return order
	}
	here := placement{string(placed.Bytes()), now}
	if search.seen[here] || len(search.seen) >= maxPlacements {
		return nil
	}
	search.seen[here] = true
	for _, next := range search.candidates(placed) {
		if fits, after := step(now, search.all[next].Input, nil); fits {
			begun := append(order[:len(order):len(order)], search.all[next])
			if found := search.continued(with(placed, next), after.(state), begun); found != nil {
				return found
			}
		}
	}
	return nil
}

// Adds every operation that fits here and never changes anything.
func (search *orderSearch) withUnchanging(
	placed *big.Int, now state, order []porcupine.Operation) (*big.Int, []porcupine.Operation) {
	for found := true; found; {
		found = false
		for _, next := range search.candidates(placed) {
			each := search.all[next]
			if !each.Input.(operation).changesNothing() {
				continue
			}
			if fits, after := step(now, each.Input, nil); fits && after == now {
				placed, order = with(placed, next), append(order[:len(order):len(order)], each)
				found = true
			}
		}
	}
	return placed, order
}

// Returns the operations that can be next: none of those left ended before their calls.
func (search *orderSearch) candidates(placed *big.Int) []int {
	var left []int
	earliest := int64(math.MaxInt64)
	for i, each := range search.all {
		if each.Call > earliest {
			break
		}
		if placed.Bit(i) == 0 {
			left = append(left, i)
			earliest = min(earliest, each.Return)
		}
	}
	var can []int
	for _, i := range left {
		if search.all[i].Call <= earliest {
			can = append(can, i)
		}
	}
	return can
}

func with(placed *big.Int, next int) *big.Int {
	return new(big.Int).SetBit(placed, next, 1)
}

// Checks that an order has all operations, each within its time, and explains every answer. Does
// not rely on the search.
func explains(order, all []porcupine.Operation) bool {
	if len(order) != len(all) {
		return false
	}
	now := state{}
	latestCall := int64(math.MinInt64)
	names := map[string]bool{}
	for _, next := range order {
		if next.Return < latestCall {
			return false
		}
		latestCall = max(latestCall, next.Call)
		names[describe(next)] = true
		fits, after := step(now, next.Input, nil)
		if !fits {
			return false
		}
		now = after.(state)
	}
	for _, each := range all {
		if !names[describe(each)] {
			return false
		}
	}
	return true
}
